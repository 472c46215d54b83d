// eventfd, timerfd, signalfd, epoll and POSIX timers: descriptors and signals that stand for events, in one process.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static volatile int rang, carried, code;
static void ring(int number) { rang++; }
static void ring_with(int number, siginfo_t *information, void *context) { rang++, carried = information->si_value.sival_int, code = information->si_code; }
static const struct itimerspec once = {{0, 0}, {0, 50000000}}, twice = {{0, 2000000}, {0, 3000000}}, never;

static void counters(void) {
  eventfd_t value;
  int event = eventfd(3, EFD_NONBLOCK), semaphore = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  uint64_t wide = UINT64_MAX;
  CALL(eventfd_read(event, &value)), SHOW(value), CALL(eventfd_read(event, &value)), CALL(eventfd_write(event, 5)), CALL(eventfd_write(event, 7)), CALL(eventfd_read(event, &value)), SHOW(value);
  CALL(eventfd_read(semaphore, &value)), SHOW(value), CALL(eventfd_read(semaphore, &value)), SHOW(value), CALL(eventfd_read(semaphore, &value));
  CALL(write(event, &wide, 8)), CALL(write(event, &wide, 4)), CALL(read(event, &wide, 7)), wide = UINT64_MAX - 1, CALL(write(event, &wide, 8)), CALL(eventfd_write(event, 1));
  struct pollfd entries[] = {{event, POLLIN | POLLOUT}, {semaphore, POLLIN | POLLOUT}};
  CALL(poll(entries, 2, 0)), SHOW(entries[0].revents), SHOW(entries[1].revents), CALL(lseek(event, 0, SEEK_SET)), CALL(ftruncate(event, 0)), CALL(pread(event, &wide, 8, 0));
  CALL(eventfd(0, 1234)), CALL(fcntl(semaphore, F_GETFD)), CALL(fcntl(event, F_GETFL) & O_NONBLOCK), CALL(eventfd_read(77, &value));
  int copy = dup(event);
  CALL(eventfd_read(copy, &value)), SHOW(value == UINT64_MAX - 1), close(copy), close(event), close(semaphore);
}

static void times(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  uint64_t count = 0;
  struct itimerspec now;
  struct pollfd entry = {timer, POLLIN};
  CALL(read(timer, &count, 8)), CALL(timerfd_settime(timer, 0, &once, NULL)), CALL(timerfd_gettime(timer, &now)), SHOW(now.it_value.tv_sec == 0 && now.it_value.tv_nsec > 0 && now.it_value.tv_nsec <= 50000000);
  CALL(poll(&entry, 1, 2000)), SHOW(entry.revents), CALL(read(timer, &count, 8)), SHOW(count), CALL(read(timer, &count, 8)), CALL(timerfd_gettime(timer, &now)), SHOW(now.it_value.tv_nsec);
  CALL(timerfd_settime(timer, 0, &twice, &now)), usleep(50000), CALL(read(timer, &count, 8)), SHOW(count >= 20), CALL(timerfd_settime(timer, 0, &never, &now)), SHOW(now.it_interval.tv_nsec), CALL(poll(&entry, 1, 5));
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment), moment.tv_sec += 0;
  const struct itimerspec past = {{0, 0}, moment}, bad = {{0, 0}, {0, 1000000000}};
  CALL(timerfd_settime(timer, TFD_TIMER_ABSTIME, &past, NULL)), CALL(poll(&entry, 1, 1000)), CALL(read(timer, &count, 8)), SHOW(count);
  fcntl(timer, F_SETFL, 0), CALL(timerfd_settime(timer, 0, &once, NULL)), CALL(read(timer, &count, 8)), SHOW(count);
  CALL(timerfd_settime(timer, 0, &bad, NULL)), CALL(timerfd_settime(1, 0, &once, NULL)), CALL(timerfd_gettime(77, &now)), CALL(timerfd_create(77, 0)), CALL(write(timer, &count, 8)), close(timer);
}

static void signals(void) {
  sigset_t set, old;
  struct signalfd_siginfo record[3];
  sigemptyset(&set), sigaddset(&set, SIGUSR1), sigaddset(&set, SIGRTMIN), sigprocmask(SIG_BLOCK, &set, &old);
  int file = signalfd(-1, &set, SFD_NONBLOCK);
  struct pollfd entry = {file, POLLIN};
  CALL(read(file, record, sizeof record)), CALL(poll(&entry, 1, 0)), raise(SIGUSR1), CALL(poll(&entry, 1, 0)), CALL(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42}));
  CALL(read(file, record, sizeof record)), SHOW(record[0].ssi_signo == SIGUSR1), SHOW(record[0].ssi_pid == getpid()), SHOW(record[1].ssi_signo == SIGRTMIN), SHOW(record[1].ssi_int), SHOW(record[1].ssi_code);
  CALL(read(file, record, sizeof record)), CALL(read(file, record, 100)), sigdelset(&set, SIGUSR1), CALL(signalfd(file, &set, 0) == file), raise(SIGUSR1), CALL(read(file, record, sizeof record));
  CALL(write(file, record, sizeof record)), CALL(signalfd(1, &set, 0)), CALL(signalfd(77, &set, 0)), close(file);
  signal(SIGUSR1, ring), rang = 0, sigprocmask(SIG_SETMASK, &old, NULL), SHOW(rang);
}

static void show_ready(const char *what, int set, int most) {
  struct epoll_event events[8];
  int count = epoll_wait(set, events, most, 0), sum = 0, data = 0;
  for (int i = 0; i < count; i++) sum += events[i].events, data |= events[i].data.u32;
  printf("%s: %d ready, events %x, data %x\n", what, count, sum, data);
}

static void sets(void) {
  int set = epoll_create1(EPOLL_CLOEXEC), pipes[2], event = eventfd(0, EFD_NONBLOCK), outer = epoll_create(1);
  struct epoll_event in = {EPOLLIN, {.u32 = 1}}, out = {EPOLLOUT, {.u32 = 2}}, edge = {EPOLLIN | EPOLLET, {.u32 = 4}}, shot = {EPOLLIN | EPOLLONESHOT, {.u32 = 4}}, any;
  eventfd_t value;
  char text[8];
  pipe(pipes);
  CALL(epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &in)), CALL(epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &in)), CALL(epoll_ctl(set, EPOLL_CTL_ADD, pipes[1], &out)), CALL(epoll_ctl(set, EPOLL_CTL_ADD, event, &edge));
  show_ready("empty", set, 8), write(pipes[1], "abc", 3), show_ready("written", set, 8), show_ready("one", set, 1), show_ready("other", set, 1), show_ready("level", set, 8);
  eventfd_write(event, 1), show_ready("edge", set, 8), show_ready("no edge", set, 8), eventfd_write(event, 1), show_ready("again", set, 8), eventfd_read(event, &value), show_ready("emptied", set, 8);
  CALL(epoll_ctl(set, EPOLL_CTL_MOD, event, &shot)), eventfd_write(event, 1), show_ready("shot", set, 8), show_ready("no second", set, 8), CALL(epoll_ctl(set, EPOLL_CTL_MOD, event, &shot)), show_ready("armed", set, 8);
  CALL(epoll_ctl(outer, EPOLL_CTL_ADD, set, &in)), show_ready("nested", outer, 8), CALL(epoll_ctl(set, EPOLL_CTL_ADD, outer, &in)), CALL(epoll_ctl(set, EPOLL_CTL_ADD, set, &in));
  CALL(epoll_ctl(set, EPOLL_CTL_DEL, pipes[1], NULL)), CALL(epoll_ctl(set, EPOLL_CTL_DEL, pipes[1], NULL)), CALL(epoll_ctl(set, EPOLL_CTL_MOD, pipes[1], &out)), show_ready("without", set, 8);
  read(pipes[0], text, 8), close(pipes[1]), show_ready("hung up", set, 8), close(pipes[0]), show_ready("closed", set, 8), show_ready("nothing nested", outer, 8);
  int file = open("host.txt", O_RDONLY);
  CALL(epoll_ctl(set, EPOLL_CTL_ADD, file, &in)), CALL(epoll_ctl(set, EPOLL_CTL_ADD, 77, &in)), CALL(epoll_ctl(77, EPOLL_CTL_ADD, event, &in)), CALL(epoll_ctl(event, EPOLL_CTL_ADD, set, &in)), CALL(epoll_ctl(set, 9, event, &in));
  CALL(epoll_wait(set, &any, 0, 0)), CALL(epoll_wait(event, &any, 1, 0)), CALL(epoll_wait(77, &any, 1, 0)), CALL(epoll_create(0)), CALL(epoll_create1(5)), CALL(epoll_wait(set, &any, 1, 10)), CALL(read(set, text, 8));
  int timer = timerfd_create(CLOCK_REALTIME, 0);
  struct epoll_event tick = {EPOLLIN, {.u64 = 0x123456789abcdef}};
  timerfd_settime(timer, 0, &once, NULL), epoll_ctl(set, EPOLL_CTL_ADD, timer, &tick), CALL(epoll_wait(set, &any, 1, -1)), SHOW(any.events), SHOW(any.data.u64);
  close(file), close(timer), close(event), close(set), close(outer);
}

static void timers(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1, .sigev_value.sival_int = 11}, quiet = {.sigev_notify = SIGEV_NONE};
  struct sigaction action = {.sa_sigaction = ring_with, .sa_flags = SA_SIGINFO};
  struct itimerspec now;
  timer_t timer, other;
  sigset_t none;
  sigemptyset(&none), sigaction(SIGRTMIN + 1, &action, NULL), signal(SIGALRM, ring), rang = 0;
  CALL(timer_create(CLOCK_REALTIME, &event, &timer)), CALL(timer_settime(timer, 0, &once, NULL)), CALL(timer_gettime(timer, &now)), SHOW(now.it_value.tv_nsec > 0);
  while (!rang) usleep(1000);
  SHOW(rang), SHOW(carried), SHOW(code == SI_TIMER), CALL(timer_gettime(timer, &now)), SHOW(now.it_value.tv_nsec), CALL(timer_getoverrun(timer));
  rang = 0, CALL(timer_settime(timer, 0, &twice, NULL));
  while (rang < 3) usleep(1000);
  CALL(timer_settime(timer, 0, &never, &now)), SHOW(now.it_interval.tv_nsec), CALL(timer_delete(timer)), rang = 0;
  CALL(timer_create(CLOCK_MONOTONIC, NULL, &other)), CALL(timer_settime(other, 0, &once, NULL)), CALL(usleep(900000)), SHOW(rang), timer_delete(other);
  CALL(timer_create(CLOCK_REALTIME, &quiet, &other)), CALL(timer_settime(other, 0, &once, NULL)), CALL(usleep(100000)), CALL(timer_gettime(other, &now)), SHOW(now.it_value.tv_nsec), timer_delete(other), CALL(timer_create(77, NULL, &other));
  rang = 0, ualarm(3000, 0);
  while (!rang) clock_gettime(CLOCK_REALTIME, &now.it_value);
  SHOW(rang);
}

/* Waiting is ended by handlers that run, not by signals that are blocked or ignored. */
static void interrupted(void) {
  sigset_t set, old, none;
  struct pollfd nothing = {-1, 0};
  struct timespec long_time = {3, 0}, rest = {0, 0}, short_time = {0, 200000000};
  fd_set reads;
  sigemptyset(&none), sigemptyset(&set), sigaddset(&set, SIGALRM), signal(SIGALRM, ring), rang = 0;
  ualarm(50000, 0), CALL(poll(&nothing, 1, -1)), SHOW(rang), sigprocmask(SIG_BLOCK, &set, &old), ualarm(50000, 0), CALL(nanosleep(&short_time, NULL)), SHOW(rang), CALL(ppoll(&nothing, 1, &long_time, &none)), SHOW(rang);
  ualarm(50000, 0), CALL(pselect(0, NULL, NULL, NULL, &long_time, &none)), SHOW(rang), sigprocmask(SIG_SETMASK, &old, NULL), signal(SIGALRM, SIG_IGN), ualarm(50000, 0), CALL(nanosleep(&short_time, &rest)), CALL(poll(&nothing, 1, 100));
  signal(SIGALRM, ring), ualarm(50000, 0), CALL(epoll_pwait(epoll_create1(0), &(struct epoll_event){0}, 1, -1, &none)), SHOW(rang);
}

static int channel[2];
static void *writer(void *unused) { return usleep(100000), write(channel[1], "x", 1), NULL; }

static void threads(void) {
  pthread_t thread;
  char byte;
  pipe(channel);
  struct pollfd entry = {channel[0], POLLIN};
  fd_set set;
  pthread_create(&thread, NULL, writer, NULL), CALL(poll(&entry, 1, -1)), SHOW(entry.revents), pthread_join(thread, NULL), read(channel[0], &byte, 1);
  FD_ZERO(&set);
  FD_SET(channel[0], &set);
  pthread_create(&thread, NULL, writer, NULL), CALL(select(channel[0] + 1, &set, NULL, NULL, &(struct timeval){9, 0})), pthread_join(thread, NULL), SHOW(FD_ISSET(channel[0], &set)), read(channel[0], &byte, 1);
  pthread_create(&thread, NULL, writer, NULL), CALL(poll(&entry, 1, 1)), pthread_join(thread, NULL), CALL(poll(&entry, 1, -1));
}

int main(void) {
  counters(), times(), signals(), sets(), timers(), interrupted(), threads();
  return 0;
}
