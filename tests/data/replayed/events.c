// Alarms, timers, descriptors of events and queues in a replay: they are on the model's clock and in the model's kernel,
// the signals are real ones. A status of 10 and more is right, one of 100 and more wrong.
// run: --sym-stdin 1
// statuses: 10 11 12 13 14 15 16 17 18 19
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang, value;
static void ring(int number) { rang++; }
static void ring_with(int number, siginfo_t *information, void *context) { rang++, value = information->si_value.sival_int; }
static void block(int number, sigset_t *none) {
  sigset_t set;
  sigemptyset(&set), sigaddset(&set, number), sigprocmask(SIG_BLOCK, &set, none);
}

static int pauses(void) { return alarm(100), pause(), rang == 1; }

static int suspends(void) {
  sigset_t none;
  block(SIGALRM, &none), alarm(100);
  return rang == 0 && sigsuspend(&none) == -1 && rang == 1;
}

static int waits(void) {
  sigset_t set;
  int number = 0;
  block(SIGALRM, &set), sigemptyset(&set), sigaddset(&set, SIGALRM), alarm(100);
  return sigwait(&set, &number) == 0 && number == SIGALRM && rang == 0;
}

static int sleeps(void) {
  sigset_t none;
  block(SIGALRM, &none), alarm(1);
  if (sleep(5) != 0 || rang) return 0;
  return ppoll(NULL, 0, NULL, &none) == -1 && rang == 1;
}

static int sets(void) {
  struct itimerspec once = {{0, 0}, {500, 0}};
  struct epoll_event in = {EPOLLIN, {.u32 = 3}}, got;
  uint64_t count = 0;
  int timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0);
  timerfd_settime(timer, 0, &once, NULL), epoll_ctl(set, EPOLL_CTL_ADD, timer, &in);
  return epoll_wait(set, &got, 1, 0) == 0 && epoll_wait(set, &got, 1, -1) == 1 && got.data.u32 == 3 && read(timer, &count, 8) == 8 && count == 1;
}

static int timers(void) {
  struct sigaction action = {.sa_sigaction = ring_with, .sa_flags = SA_SIGINFO};
  struct sigevent event = {.sigev_signo = SIGRTMIN, .sigev_value.sival_int = 77};
  struct itimerspec every = {{100, 0}, {100, 0}};
  timer_t timer;
  sigaction(SIGRTMIN, &action, NULL), timer_create(CLOCK_REALTIME, &event, &timer), timer_settime(timer, 0, &every, NULL);
  while (rang < 3) pause();
  return value == 77;
}

static int counters(void) {
  uint64_t count = 5;
  int event = eventfd(2, 0);
  return write(event, &count, 8) == 8 && read(event, &count, 8) == 8 && count == 7;
}

static int signals(void) {
  struct signalfd_siginfo record;
  sigset_t set;
  block(SIGUSR1, &set), sigemptyset(&set), sigaddset(&set, SIGUSR1), raise(SIGUSR1);
  return read(signalfd(-1, &set, 0), &record, sizeof record) == sizeof record && record.ssi_signo == SIGUSR1;
}

static int queues(void) {
  struct { long type; char text[8]; } message = {4, "queued"}, got;
  int id = msgget(IPC_PRIVATE, 0600);
  return msgsnd(id, &message, 7, 0) == 0 && msgrcv(id, &got, 8, 0, 0) == 7 && strcmp(got.text, "queued") == 0 && msgctl(id, IPC_RMID, NULL) == 0;
}

static int memory(void) {
  int id = shmget(IPC_PRIVATE, 100, 0600), semaphores = semget(IPC_PRIVATE, 1, 0600);
  char *shared = shmat(id, NULL, 0);
  strcpy(shared, "shared");
  return strcmp(shmat(id, NULL, 0), "shared") == 0 && semctl(semaphores, 0, SETVAL, 3) == 0 && semctl(semaphores, 0, GETVAL) == 3;
}

int main(void) {
  static int (*const cases[10])(void) = {pauses, suspends, waits, sleeps, sets, timers, counters, signals, queues, memory};
  unsigned char which = 0;
  read(0, &which, 1), signal(SIGALRM, ring);
  for (int i = 0; i < 9; i++)
    if (which == i) return (cases[i]() ? 10 : 100) + i;
  return cases[9]() ? 19 : 109;
}
