// Refusals and answers of clocks, timers, scheduling, semaphores and shared memory objects.
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static void clocks(void) {
  struct timespec t, none = {0, 0}, bad = {0, 1000000000}, negative = {-1, 0};
  clockid_t own;
  timer_t timer;
  int c;
  for (c = -3; c < 14; c++) {
    if (c == 10 || c == 8 || c == 9) continue;
    CALL(clock_gettime(c, &t)), CALL(clock_getres(c, 0)), CALL(clock_nanosleep(c, 0, &none, 0)), CALL(clock_nanosleep(c, TIMER_ABSTIME, &none, 0)), CALL(clock_nanosleep(c, 0, &bad, 0)), CALL(timerfd_create(c, 0) >= 0);
    struct sigevent e = {.sigev_notify = SIGEV_NONE};
    CALL(timer_create(c, &e, &timer));
  }
  CALL(clock_getcpuclockid(0, &own)), CALL(clock_gettime(own, &t)), CALL(clock_getcpuclockid(getpid(), &own)), CALL(clock_gettime(own, &t)), CALL(clock_getcpuclockid(-2, &own)), CALL(clock_getcpuclockid(99999999, &own)), CALL(pthread_getcpuclockid(pthread_self(), &own)), CALL(clock_gettime(own, &t)), CALL(clock_nanosleep(own, 0, &none, 0));
  CALL(nanosleep(&bad, 0)), CALL(nanosleep(&negative, 0)), CALL(nanosleep(&none, 0)), CALL(usleep(0)), CALL(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &negative, 0)), CALL(usleep(1000000)), CALL(clock_getres(CLOCK_REALTIME, &t)), SHOW(t.tv_nsec);
  struct itimerval i = {{0, 0}, {0, 1000000}}, j = {{0, 0}, {-1, 0}};
  CALL(setitimer(ITIMER_REAL, &i, 0)), CALL(setitimer(ITIMER_REAL, &j, 0)), CALL(setitimer(7, &i, 0)), CALL(getitimer(7, &i)), CALL(getitimer(ITIMER_VIRTUAL, &i));
}
static volatile int rang, overruns;
static timer_t own_timer;
static void ring(int n) { rang++, overruns = timer_getoverrun(own_timer); }
static void timers(void) {
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1}, bad = {.sigev_notify = 77}, number = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99}, zero = {.sigev_notify = SIGEV_SIGNAL};
  struct itimerspec fast = {{0, 1000000}, {0, 1000000}}, once = {{0, 0}, {0, 100000000}}, off = {{0, 0}, {0, 0}}, wrong = {{0, 0}, {0, -1}}, odd = {{0, 1000000000}, {0, 1}}, now;
  timer_t t;
  sigset_t s;
  signal(SIGUSR1, ring), signal(SIGALRM, ring), sigemptyset(&s), sigaddset(&s, SIGUSR1);
  CALL(timer_create(CLOCK_REALTIME, &bad, &t)), CALL(timer_create(CLOCK_REALTIME, &number, &t)), CALL(timer_create(CLOCK_REALTIME, &zero, &t)), CALL(timer_create(CLOCK_REALTIME, &e, &own_timer)), CALL(timer_getoverrun(own_timer)), CALL(timer_gettime(own_timer, &now)), SHOW(now.it_value.tv_nsec);
  CALL(timer_settime(own_timer, 0, &wrong, 0)), CALL(timer_settime(own_timer, 0, &odd, 0)), CALL(timer_settime(own_timer, 0, &once, 0)), CALL(timer_settime(own_timer, 0, &off, &now)), SHOW(now.it_value.tv_nsec > 0 && now.it_value.tv_nsec <= 100000000), usleep(200000), SHOW(rang);
  CALL(timer_settime(own_timer, 0, &once, &now)), SHOW(now.it_value.tv_nsec), usleep(500000), SHOW(rang), SHOW(overruns), rang = 0;
  sigprocmask(SIG_BLOCK, &s, 0), CALL(timer_settime(own_timer, 0, &fast, 0)), usleep(20500), CALL(timer_gettime(own_timer, &now)), SHOW(now.it_value.tv_nsec > 0 && now.it_value.tv_nsec <= 1000000), SHOW(now.it_interval.tv_nsec), SHOW(rang), timer_settime(own_timer, 0, &off, 0), sigprocmask(SIG_UNBLOCK, &s, 0);
  sigprocmask(SIG_BLOCK, &s, 0), CALL(timer_settime(own_timer, 0, &fast, 0)), usleep(20500);
  siginfo_t i;
  CALL(sigwaitinfo(&s, &i)), SHOW(i.si_code == SI_TIMER), SHOW(i.si_overrun >= 18 && i.si_overrun <= 5000), SHOW(i.si_overrun == timer_getoverrun(own_timer)), CALL(timer_delete(own_timer));
  CALL(syscall(SYS_timer_settime, 77, 0, &once, 0)), CALL(syscall(SYS_timer_gettime, 77, &now)), CALL(syscall(SYS_timer_getoverrun, 77)), CALL(syscall(SYS_timer_delete, 77));
}
static void scheduling(void) {
  struct sched_param p = {0}, high = {5};
  struct timespec t;
  int n;
  for (n = -1; n < 7; n++) CALL(sched_get_priority_max(n)), CALL(sched_get_priority_min(n));
  CALL(sched_getscheduler(0)), CALL(sched_getscheduler(-1)), CALL(sched_getscheduler(99999999)), CALL(sched_getparam(0, &p)), SHOW(p.sched_priority), CALL(sched_getparam(-1, &p)), CALL(sched_getparam(99999999, &p)), CALL(sched_getparam(0, 0)), CALL(sched_setparam(0, &high)), CALL(sched_setparam(0, &p)), CALL(sched_setscheduler(0, SCHED_OTHER, &p)), CALL(sched_setscheduler(0, SCHED_OTHER, &high)), CALL(sched_setscheduler(0, 77, &p)), CALL(sched_setscheduler(-1, SCHED_OTHER, &p)), CALL(sched_setscheduler(99999999, SCHED_OTHER, &p)), CALL(sched_setscheduler(0, SCHED_FIFO, &p)), CALL(sched_rr_get_interval(0, &t)), CALL(sched_rr_get_interval(-1, &t)), CALL(sched_rr_get_interval(99999999, &t)), CALL(sched_yield()), CALL(pthread_getschedparam(pthread_self(), &n, &p)), SHOW(n), CALL(pthread_setschedparam(pthread_self(), 77, &p)), CALL(pthread_setschedparam(pthread_self(), SCHED_OTHER, &p)), CALL(pthread_setschedparam(pthread_self(), SCHED_OTHER, &high)), CALL(pthread_setschedprio(pthread_self(), 0)), CALL(pthread_setschedprio(pthread_self(), 5));
  CALL(sched_setscheduler(0, SCHED_BATCH, &p)), CALL(sched_getscheduler(0)), CALL(sched_setscheduler(0, SCHED_OTHER, &p));
  cpu_set_t set; CPU_ZERO(&set); CALL(sched_getaffinity(0, sizeof set, &set) >= 0), SHOW(CPU_COUNT(&set) > 0), CALL(sched_getaffinity(99999999, sizeof set, &set)), CALL(sched_setaffinity(0, sizeof set, &set)); CPU_ZERO(&set); CALL(sched_setaffinity(0, sizeof set, &set));
  errno = 0, CALL(getpriority(9, 0)), CALL(getpriority(PRIO_PROCESS, 99999999)), CALL(setpriority(9, 0, 0)), CALL(setpriority(PRIO_PROCESS, 0, 16)), CALL(getpriority(PRIO_PROCESS, 0)), CALL(nice(2)), CALL(nice(0)), CALL(nice(100));
  pthread_attr_t a; size_t z;
  pthread_attr_init(&a), CALL(pthread_attr_setschedpolicy(&a, 77)), CALL(pthread_attr_setschedpolicy(&a, SCHED_RR)), CALL(pthread_attr_setschedparam(&a, &p)), CALL(pthread_attr_setschedparam(&a, &high)), CALL(pthread_attr_getschedparam(&a, &p)), SHOW(p.sched_priority), CALL(pthread_attr_setinheritsched(&a, 77)), CALL(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS)), CALL(pthread_attr_setscope(&a, 77)), CALL(pthread_attr_setdetachstate(&a, 77)), CALL(pthread_attr_setstacksize(&a, 1)), CALL(pthread_attr_setstacksize(&a, 1 << 20)), CALL(pthread_attr_getstacksize(&a, &z)), SHOW(z), CALL(pthread_attr_getguardsize(&a, &z)), SHOW(z), CALL(pthread_attr_setguardsize(&a, 0)), CALL(pthread_attr_setstack(&a, &a, 1));
}
static void semaphores(void) {
  sem_t s, *a, *b;
  int n;
  struct timespec past = {1, 0}, bad = {time(0) + 5, 1000000000}, soon;
  CALL(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1)), CALL(sem_init(&s, 0, SEM_VALUE_MAX)), CALL(sem_post(&s)), CALL(sem_getvalue(&s, &n)), SHOW(n), CALL(sem_init(&s, 0, 1)), CALL(sem_wait(&s)), CALL(sem_trywait(&s)), CALL(sem_timedwait(&s, &past)), CALL(sem_timedwait(&s, &bad)), CALL(sem_post(&s)), CALL(sem_timedwait(&s, &bad)), CALL(sem_clockwait(&s, CLOCK_MONOTONIC, &past)), CALL(sem_clockwait(&s, 77, &past)), CALL(sem_destroy(&s));
  sem_unlink("/homi-k1"), CALL(sem_open("/homi-k1", 0) == SEM_FAILED), CALL((a = sem_open("/homi-k1", O_CREAT, 0600, 3)) != SEM_FAILED), CALL((b = sem_open("/homi-k1", 0)) == a), CALL(sem_open("/homi-k1", O_CREAT | O_EXCL, 0600, 3) == SEM_FAILED), CALL(sem_wait(b)), CALL(sem_getvalue(a, &n)), SHOW(n), CALL(sem_close(b)), CALL(sem_unlink("/homi-k1")), CALL(sem_unlink("/homi-k1")), CALL(sem_open("/homi-k1", 0) == SEM_FAILED), CALL(sem_post(a)), CALL(sem_close(a)), CALL(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED), CALL(sem_open("", O_CREAT, 0600, 1) == SEM_FAILED), CALL(sem_open("/homi-k2", O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1) == SEM_FAILED), CALL(sem_unlink("/nothing")), CALL(sem_unlink("/a/b"));
}
static void objects(void) {
  int f, g;
  struct stat s;
  shm_unlink("/homi-s"), CALL(shm_open("/homi-s", O_RDWR, 0)), f = shm_open("/homi-s", O_CREAT | O_RDWR, 0640), CALL(f >= 0), CALL(fstat(f, &s)), SHOW(s.st_size), SHOW(s.st_mode), CALL(fcntl(f, F_GETFD)), CALL(shm_open("/homi-s", O_CREAT | O_EXCL | O_RDWR, 0600)), CALL(ftruncate(f, 5000)), CALL(fstat(f, &s)), SHOW(s.st_size);
  char *p = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0), *q;
  CALL(p != MAP_FAILED), p[4999] = 7, g = shm_open("homi-s", O_RDONLY, 0), CALL(g >= 0), q = mmap(0, 5000, PROT_READ, MAP_SHARED, g, 0), SHOW(q[4999]), p[0] = 9, SHOW(q[0]), CALL(mmap(0, 5000, PROT_WRITE, MAP_SHARED, g, 0) == MAP_FAILED), CALL(close(f)), CALL(shm_unlink("/homi-s")), CALL(shm_unlink("/homi-s")), p[1] = 3, SHOW(q[1]), CALL(shm_open("/homi-s", O_RDONLY, 0)), CALL(ftruncate(g, 0)), close(g), f = shm_open("/homi-s", O_CREAT | O_RDWR | O_TRUNC, 0600), CALL(fstat(f, &s)), SHOW(s.st_size), CALL(shm_unlink("homi-s")), CALL(shm_open("/a/b", O_CREAT | O_RDWR, 0600)), CALL(shm_open("", O_CREAT | O_RDWR, 0600)), CALL(shm_unlink(""));
}
static void mappings(void) {
  int f = open("m", O_RDWR | O_CREAT, 0600), r = open("m", O_RDONLY), w = open("m", O_WRONLY);
  long z = 4096;
  write(f, "hello", 5);
  char *p = mmap(0, z, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
  CALL(p == MAP_FAILED), CALL(mmap(0, 0, PROT_READ, MAP_SHARED, f, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_SHARED, f, 1) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, 0, f, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_SHARED, 77, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_WRITE, MAP_SHARED, r, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_WRITE, MAP_PRIVATE, r, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_PRIVATE, w, 0) == MAP_FAILED), CALL(mmap((void *)1, z, PROT_READ, MAP_PRIVATE | MAP_FIXED, f, 0) == MAP_FAILED), CALL(mmap(0, (size_t)-1, PROT_READ, MAP_PRIVATE, f, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_PRIVATE, open(".", O_RDONLY), 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_SHARED | MAP_PRIVATE, f, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_PRIVATE, f, z * 5) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, 77, 0) == MAP_FAILED), CALL(mmap(0, z, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 1) == MAP_FAILED);
  p[0] = 'J', CALL(msync(p, z, MS_SYNC)), CALL(msync(p, z, MS_SYNC | MS_ASYNC)), CALL(msync(p + 1, z, MS_SYNC)), CALL(msync(p, z, 99)), CALL(msync(p, z, 0)), CALL(munmap(p + 1, z)), CALL(munmap(p, 0)), CALL(mprotect(p + 1, z, PROT_READ)), CALL(mprotect(p, z, 0x1000)), CALL(mprotect(p, 0, PROT_READ)), CALL(mlock(p, z)), CALL(munlock(p, z)), CALL(mlockall(0)), CALL(mlockall(99)), CALL(madvise(p, z, 77)), CALL(madvise(p + 1, z, MADV_NORMAL)), CALL(madvise(p, z, MADV_WILLNEED)), CALL(posix_madvise(p, z, 77)), CALL(munmap(p, z)), CALL(msync(p, z, MS_SYNC)), CALL(mlock(p, z)), CALL(mprotect(p, z, PROT_READ)), CALL(munmap(p, z)), CALL(madvise(p, z, MADV_NORMAL)), CALL(mremap(p, z, z * 2, 0) == MAP_FAILED), CALL(mremap(p + 1, z, z * 2, 0) == MAP_FAILED), CALL(mremap(p, z, 0, 0) == MAP_FAILED), CALL(mremap(p, z, z, 96) == MAP_FAILED);
  char text[9] = ""; CALL(pread(f, text, 8, 0)), SHOW_TEXT(text), p = mmap(0, z, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0), p[1] = 'X', CALL(pread(f, text, 8, 0)), SHOW_TEXT(text), SHOW(p[5]), SHOW(p[4095]), p = mmap(0, z, PROT_READ, MAP_SHARED, r, 0), CALL(mprotect(p, z, PROT_WRITE)), unsetenv("x");
}
int main(void) { setlinebuf(stdout), clocks(), timers(), scheduling(), semaphores(), objects(), mappings(); return 0; }
