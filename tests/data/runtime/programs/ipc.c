// System V shared memory, semaphores and message queues, POSIX message queues, named semaphores and shared memory, in one process.
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

union semun { int val; struct semid_ds *buf; unsigned short *array; };

static void memory(void) {
  int id = shmget(IPC_PRIVATE, 5000, IPC_CREAT | 0640);
  struct shmid_ds about;
  SHOW(id >= 0);
  char *here = shmat(id, NULL, 0), *there = shmat(id, NULL, 0);
  SHOW(here != (char *)-1), SHOW(here[0]), SHOW(here[4999]), strcpy(here, "shared"), SHOW_TEXT(there), SHOW((long)here % 4096);
  CALL(shmctl(id, IPC_STAT, &about)), SHOW(about.shm_segsz), SHOW(about.shm_nattch), SHOW(about.shm_perm.mode), SHOW(about.shm_cpid == getpid()), SHOW(about.shm_perm.uid == geteuid()), SHOW(about.shm_ctime > 0);
  about.shm_perm.mode = 0600, CALL(shmctl(id, IPC_SET, &about)), CALL(shmdt(there)), CALL(shmctl(id, IPC_RMID, NULL)), CALL(shmctl(id, IPC_STAT, &about)), SHOW(about.shm_nattch), SHOW(about.shm_perm.mode & 0777), SHOW_TEXT(here);
  CALL(shmdt(here)), CALL(shmctl(id, IPC_STAT, &about)), CALL(shmdt(here)), CALL(shmget(IPC_PRIVATE, 0, 0600)), SHOW(shmat(id, NULL, 0) == (void *)-1), SHOW(errno);
  key_t key = ftok("host.txt", 'h'), other = ftok("sub", 'h');
  SHOW(key != -1), SHOW(key != other), SHOW((key >> 24) == 'h'), CALL(ftok("none", 1));
  CALL(shmget(key, 100, 0600)), id = shmget(key, 100, IPC_CREAT | IPC_EXCL | 0600), SHOW(id >= 0), CALL(shmget(key, 100, IPC_CREAT | IPC_EXCL)), SHOW(shmget(key, 50, 0600) == id), CALL(shmget(key, 200, 0600)), CALL(shmctl(id, IPC_RMID, NULL)), CALL(shmget(key, 100, 0600));
}

static void semaphores(void) {
  int id = semget(IPC_PRIVATE, 3, 0600);
  unsigned short values[3] = {1, 2, 3}, got[3];
  struct semid_ds about;
  struct sembuf take[2] = {{0, -1, IPC_NOWAIT}, {1, -2, IPC_NOWAIT}}, give = {0, 4, 0}, zero = {1, 0, IPC_NOWAIT}, large = {0, 32767, 0}, outside = {3, 1, 0}, wait = {2, -9, 0};
  struct timespec short_time = {0, 10000000};
  SHOW(id >= 0), CALL(semctl(id, 0, GETVAL)), CALL(semctl(id, 0, SETALL, (union semun){.array = values})), CALL(semctl(id, 2, GETVAL)), CALL(semctl(id, 1, SETVAL, (union semun){.val = 5})), CALL(semctl(id, 0, GETALL, (union semun){.array = got})), SHOW(got[0] * 100 + got[1] * 10 + got[2]);
  CALL(semop(id, take, 2)), CALL(semop(id, take, 2)), CALL(semctl(id, 1, GETVAL)), CALL(semop(id, &give, 1)), CALL(semctl(id, 0, GETVAL)), CALL(semctl(id, 0, GETPID) == getpid()), CALL(semop(id, &zero, 1)), CALL(semctl(id, 1, SETVAL, (union semun){.val = 0})), CALL(semop(id, &zero, 1));
  CALL(semop(id, &large, 1)), CALL(semop(id, &outside, 1)), CALL(semop(id, take, 0)), CALL(semtimedop(id, &wait, 1, &short_time)), CALL(semctl(id, 3, GETVAL)), CALL(semctl(id, 0, SETVAL, (union semun){.val = -1})), CALL(semctl(id, 0, GETNCNT)), CALL(semctl(id, 0, GETZCNT));
  CALL(semctl(id, 0, IPC_STAT, (union semun){.buf = &about})), SHOW(about.sem_nsems), SHOW(about.sem_perm.mode), SHOW(about.sem_otime > 0), CALL(semctl(id, 0, IPC_RMID)), CALL(semctl(id, 0, GETVAL)), CALL(semop(id, &give, 1)), CALL(semget(IPC_PRIVATE, 0, 0600)), CALL(semget(IPC_PRIVATE, -1, 0600));
  key_t key = ftok("host.txt", 's');
  id = semget(key, 2, IPC_CREAT | 0600), CALL(semget(key, 3, 0600)), SHOW(semget(key, 0, 0) == id), CALL(semget(key, 1, IPC_CREAT | IPC_EXCL | 0600)), CALL(semctl(id, 0, IPC_RMID));
}

struct text { long type; char text[32]; };

static void messages(void) {
  int id = msgget(IPC_PRIVATE, 0600);
  struct text one = {3, "three"}, two = {1, "one"}, three = {2, "two"}, got = {0};
  struct msqid_ds about;
  SHOW(id >= 0), CALL(msgsnd(id, &one, 6, 0)), CALL(msgsnd(id, &two, 4, 0)), CALL(msgsnd(id, &three, 4, 0)), CALL(msgctl(id, IPC_STAT, &about)), SHOW(about.msg_qnum), SHOW(about.msg_cbytes), SHOW(about.msg_qbytes >= 16384), SHOW(about.msg_lspid == getpid()), SHOW(about.msg_lrpid);
  CALL(msgrcv(id, &got, 32, 2, 0)), SHOW_TEXT(got.text), CALL(msgrcv(id, &got, 32, -3, 0)), SHOW_TEXT(got.text), CALL(msgsnd(id, &two, 4, 0)), CALL(msgrcv(id, &got, 32, 3, MSG_EXCEPT)), SHOW(got.type), CALL(msgrcv(id, &got, 3, 0, 0)), CALL(msgrcv(id, &got, 3, 0, MSG_NOERROR)), SHOW(got.type), CALL(msgrcv(id, &got, 32, 0, IPC_NOWAIT));
  two.type = 0, CALL(msgsnd(id, &two, 4, 0)), CALL(msgsnd(id, &one, -1, 0)), CALL(msgsnd(id, &one, 0, 0)), CALL(msgrcv(id, &got, 0, 0, 0)), CALL(msgctl(id, IPC_STAT, &about)), SHOW(about.msg_qnum), about.msg_qbytes = 10, CALL(msgctl(id, IPC_SET, &about)), CALL(msgsnd(id, &one, 11, IPC_NOWAIT)), CALL(msgsnd(id, &one, 10, IPC_NOWAIT)), CALL(msgsnd(id, &one, 1, IPC_NOWAIT));
  CALL(msgctl(id, IPC_RMID, NULL)), CALL(msgsnd(id, &one, 1, 0)), CALL(msgctl(id, IPC_STAT, &about)), CALL(msgget(0x686f6d69, 0)), CALL(msgctl(77777, 99, NULL));
}

static volatile int told, told_value;
static void tell(int number, siginfo_t *information, void *context) { told++; }

static void queues(void) {
  struct mq_attr wish = {.mq_maxmsg = 3, .mq_msgsize = 16}, now;
  char name[40], text[16] = {0};
  unsigned priority;
  struct timespec past = {1, 0}, bad = {0, -1};
  sprintf(name, "/homi-test-%d", getpid());
  mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR | O_NONBLOCK, 0600, &wish);
  SHOW(queue >= 0), CALL(mq_getattr(queue, &now)), SHOW(now.mq_maxmsg), SHOW(now.mq_msgsize), SHOW(now.mq_curmsgs), SHOW(now.mq_flags == O_NONBLOCK);
  CALL(mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &wish)), CALL(mq_send(queue, "low", 4, 1)), CALL(mq_send(queue, "high", 5, 9)), CALL(mq_send(queue, "low two", 8, 1)), CALL(mq_send(queue, "full", 5, 1)), CALL(mq_send(queue, text, 17, 1)), CALL(mq_send(queue, text, 1, 40000));
  struct pollfd entry = {queue, POLLIN | POLLOUT};
  CALL(poll(&entry, 1, 0)), SHOW(entry.revents), CALL(mq_receive(queue, text, 15, NULL)), CALL(mq_receive(queue, text, 16, &priority)), SHOW_TEXT(text), SHOW(priority), CALL(mq_receive(queue, text, 16, &priority)), SHOW_TEXT(text), CALL(mq_receive(queue, text, 16, NULL)), SHOW_TEXT(text), CALL(mq_receive(queue, text, 16, NULL));
  struct mq_attr blocking = {0}, wrong = {.mq_flags = 1};
  CALL(mq_setattr(queue, &blocking, &now)), SHOW(now.mq_flags == O_NONBLOCK), CALL(mq_timedreceive(queue, text, 16, NULL, &past)), CALL(mq_timedreceive(queue, text, 16, NULL, &bad)), CALL(mq_setattr(queue, &wrong, NULL)), CALL(mq_timedsend(queue, "timed", 6, 0, &past)), CALL(mq_receive(queue, text, 16, NULL));
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  sigaction(SIGUSR2, &action, NULL), CALL(mq_notify(queue, &event)), CALL(mq_notify(queue, &event)), CALL(mq_send(queue, "a", 1, 0)), SHOW(told), CALL(mq_send(queue, "b", 1, 0)), SHOW(told), CALL(mq_notify(queue, NULL));
  mqd_t second = mq_open(name, O_RDONLY);
  SHOW(second >= 0), CALL(mq_send(second, "c", 1, 0)), CALL(mq_receive(second, text, 16, NULL)), CALL(mq_close(second)), CALL(mq_unlink(name)), CALL(mq_unlink(name)), CALL(mq_open(name, O_RDWR)), CALL(mq_receive(queue, text, 16, NULL)), SHOW(text[0]), CALL(mq_close(queue)), CALL(mq_close(queue)), CALL(mq_getattr(1, &now));
  wish.mq_maxmsg = 0, CALL(mq_open(name, O_CREAT | O_RDWR, 0600, &wish)), CALL(mq_open("no slash", O_CREAT | O_RDWR, 0600, NULL)), CALL(mq_open("/a/b", O_CREAT | O_RDWR, 0600, NULL)), CALL(mq_open("/", O_CREAT | O_RDWR, 0600, NULL)), CALL(mq_unlink("/homi-none")), CALL(mq_unlink("none"));
}

static void named(void) {
  char name[40];
  int value;
  sprintf(name, "/homi-test-%d", getpid());
  sem_t *semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 2), *same = sem_open(name, 0);
  SHOW(semaphore != SEM_FAILED), SHOW(same == semaphore), CALL(sem_wait(semaphore)), CALL(sem_trywait(same)), CALL(sem_trywait(semaphore)), CALL(sem_post(same)), CALL(sem_getvalue(semaphore, &value)), SHOW(value);
  SHOW(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED), SHOW(errno == EEXIST), CALL(sem_close(same)), CALL(sem_close(semaphore)), CALL(sem_unlink(name)), CALL(sem_unlink(name)), SHOW(sem_open(name, 0) == SEM_FAILED), SHOW(errno == ENOENT);
  int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
  struct stat about;
  SHOW(file >= 0), CALL(ftruncate(file, 4096)), CALL(fstat(file, &about)), SHOW(about.st_size), SHOW(about.st_mode);
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  strcpy(memory, "kept"), CALL(msync(memory, 4096, MS_SYNC)), CALL(munmap(memory, 4096)), memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0), SHOW_TEXT(memory), CALL(shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600)), CALL(shm_unlink(name)), CALL(shm_unlink(name)), CALL(shm_open(name, O_RDWR, 0)), close(file);
  CALL(shm_open("/a/b", O_CREAT | O_RDWR, 0600)), CALL(shm_open("", O_CREAT | O_RDWR, 0600)), SHOW(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED);
}

static int shared_queue, shared_semaphores;
static void *partner(void *unused) {
  struct text message = {1, "from a thread"};
  struct sembuf give = {0, 1, 0};
  usleep(10000), semop(shared_semaphores, &give, 1), usleep(10000), msgsnd(shared_queue, &message, 14, 0);
  return NULL;
}

static void threads(void) {
  pthread_t thread;
  struct text got;
  struct sembuf take = {0, -1, 0};
  shared_queue = msgget(IPC_PRIVATE, 0600), shared_semaphores = semget(IPC_PRIVATE, 1, 0600);
  pthread_create(&thread, NULL, partner, NULL), CALL(semop(shared_semaphores, &take, 1)), CALL(msgrcv(shared_queue, &got, 32, 0, 0)), SHOW_TEXT(got.text), pthread_join(thread, NULL);
  CALL(msgctl(shared_queue, IPC_RMID, NULL)), CALL(semctl(shared_semaphores, 0, IPC_RMID));
}

int main(void) {
  memory(), semaphores(), messages(), queues(), named(), threads();
  return 0;
}
