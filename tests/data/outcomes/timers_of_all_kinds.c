// Timers by descriptor, by signal and by interval, counters of events and signals as descriptors, polled.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

static volatile int fired;
static void on_timer(int signal, siginfo_t *info, void *context) { fired += info->si_value.sival_int; }

int main(void) {
  unsigned char in;
  uint64_t number;
  take(&in, 1);
  switch (in % 6) {
  case 0: {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec when = {{0, 1000000}, {0, 1000000}};
    struct pollfd waits = {timer, POLLIN, 0};
    if (timerfd_settime(timer, 0, &when, 0) || poll(&waits, 1, 1000) != 1) return 90;
    if (read(timer, &number, 8) != 8 || number < 1) return 91;
    if (read(timer, &number, 4) != -1 || errno != EINVAL) return 92;
    return 1;
  }
  case 1: {
    int event = eventfd(3, EFD_NONBLOCK | (in & 8 ? EFD_SEMAPHORE : 0));
    if (read(event, &number, 8) != 8) return 93;
    if (number != (in & 8 ? 1 : 3)) return 94;
    int second = read(event, &number, 8) == 8;
    number = UINT64_MAX;
    if (write(event, &number, 8) != -1 || errno != EINVAL) return 95;
    return 2 + second;
  }
  case 2: {
    sigset_t set;
    struct signalfd_siginfo info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    int signals = signalfd(-1, &set, SFD_NONBLOCK);
    if (read(signals, &info, sizeof info) != -1 || errno != EAGAIN) return 96;
    raise(SIGUSR1);
    if (read(signals, &info, sizeof info) != sizeof info || info.ssi_signo != SIGUSR1) return 97;
    return 4;
  }
  case 3: {
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 5};
    /* Again and again, since the first may come between the look at `fired` and the pause. */
    struct itimerspec when = {{0, 1000000}, {0, 1000000}};
    timer_t timer;
    sigaction(SIGRTMIN, &action, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &when, 0)) return 98;
    while (!fired) pause();
    if (timer_delete(timer) || timer_delete(timer) != -1) return 99;
    return fired % 5 == 0 ? 5 : 112;
  }
  case 4: {
    int events = epoll_create1(0), event = eventfd(0, 0), ends[2];
    struct epoll_event what = {.events = EPOLLIN | EPOLLET, .data.u32 = 7}, got[2];
    if (pipe(ends) || epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &what)) return 100;
    if (epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &what) != -1 || errno != EEXIST) return 101;
    if (epoll_wait(events, got, 2, 0)) return 102;
    (void)!write(ends[1], "ab", 2);
    if (epoll_wait(events, got, 2, 0) != 1 || got[0].data.u32 != 7) return 103;
    /* An edge is told once. */
    if (epoll_wait(events, got, 2, 0)) return 104;
    (void)!write(ends[1], "c", 1);
    return epoll_wait(events, got, 2, 10) == 1 ? 6 : 105;
  }
  default: {
    struct itimerval when = {{0, 0}, {5, 0}}, left;
    if (setitimer(ITIMER_REAL, &when, 0) || getitimer(ITIMER_REAL, &left)) return 106;
    if (left.it_value.tv_sec > 5 || left.it_value.tv_sec < 4) return 107;
    unsigned before = alarm(0);
    if (before != 5) return 108;
    return alarm(0) == 0 ? 7 : 109;
  }
  }
}
