// Signals: what handlers block and find pending, flags of actions, and calls that wait for signals.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static char log_[4000];
static void note(const char *text, int n) { sprintf(log_ + strlen(log_), "%s%d ", text, n); }
static void show_log(const char *what) { printf("%s: %s\n", what, log_), log_[0] = 0; }
static long pending(void) { sigset_t s; sigemptyset(&s); sigpending(&s); long bits = 0; for (int i = 1; i < 65; i++) if (sigismember(&s, i) == 1) bits |= 1L << (i - 1); return bits; }
static long mask(void) { sigset_t s; sigemptyset(&s); sigprocmask(SIG_BLOCK, 0, &s); long bits = 0; for (int i = 1; i < 65; i++) if (sigismember(&s, i) == 1) bits |= 1L << (i - 1); return bits; }
static void simple(int n) { note("s", n); }
static void raiser(int n) { note("<", n), raise(SIGUSR2), note("p", (int)(pending() >> (SIGUSR2 - 1) & 1)), raise(n), note("q", (int)(pending() >> (n - 1) & 1)), note(">", n); signal(SIGUSR1, simple); }
static int shots;
static void killer(int n) { static int deep; note("<", n); if (deep++ < 2 && shots++ < 5) kill(getpid(), n), note("k", (int)(pending() >> (n - 1) & 1)); note(">", n); deep--; }
static void once(int n) { static int times; note("<", n); if (times++ == 0) kill(getpid(), n); note(">", n); }
static void act(int n, void (*f)(int), int flags, int blocks) { struct sigaction a = {.sa_handler = f, .sa_flags = flags}; sigemptyset(&a.sa_mask); if (blocks) sigaddset(&a.sa_mask, blocks); CALL(sigaction(n, &a, 0)); }
static void informed(int n, siginfo_t *i, void *c) { note("i", n), note("c", i->si_code), note("v", i->si_value.sival_int), note("e", i->si_errno), note("m", i->si_pid == getpid()); }
static void set_of(sigset_t *s, int a, int b) { sigemptyset(s); if (a) sigaddset(s, a); if (b) sigaddset(s, b); }
static void block(int how, int a, int b) { sigset_t s; set_of(&s, a, b); CALL(sigprocmask(how, &s, 0)); }

static void handlers(void) {
  act(SIGUSR1, raiser, 0, SIGUSR2), act(SIGUSR2, simple, 0, 0), raise(SIGUSR1), show_log("mask of a handler");
  act(SIGUSR1, raiser, 0, SIGUSR2), kill(getpid(), SIGUSR1), show_log("by kill");
  act(SIGUSR1, once, 0, 0), kill(getpid(), SIGUSR1), show_log("itself");
  act(SIGUSR1, killer, SA_NODEFER, 0), kill(getpid(), SIGUSR1), show_log("nodefer"), shots = 0, raise(SIGUSR1), show_log("nodefer raised");
  shots = 0, act(SIGUSR1, killer, SA_NODEFER, SIGUSR1), kill(getpid(), SIGUSR1), show_log("nodefer and mask");
  struct sigaction old; act(SIGUSR1, simple, SA_RESETHAND, 0), raise(SIGUSR1), show_log("reset"), CALL(sigaction(SIGUSR1, 0, &old)), SHOW(old.sa_handler == SIG_DFL), SHOW(old.sa_flags == SA_RESETHAND);
  act(SIGUSR1, once, SA_RESETHAND | SA_NODEFER, 0), CALL(sigaction(SIGUSR1, 0, &old)), SHOW(old.sa_flags & ~0x4000000);
  signal(SIGUSR1, simple), CALL(sigaction(SIGUSR1, 0, &old)), SHOW(old.sa_flags & ~0x4000000), SHOW(sigismember(&old.sa_mask, SIGUSR1)), SHOW(sigset(SIGUSR1, SIG_HOLD) == simple), SHOW(mask() >> 9 & 1), raise(SIGUSR1), SHOW(pending() >> 9 & 1), SHOW(sigset(SIGUSR1, simple) == SIG_HOLD), show_log("sigset");
  CALL(siginterrupt(SIGUSR1, 1)), CALL(sigaction(SIGUSR1, 0, &old)), SHOW(old.sa_flags & SA_RESTART), CALL(sighold(SIGUSR1)), raise(SIGUSR1), CALL(sigrelse(SIGUSR1)), show_log("sigrelse"), CALL(sigignore(SIGUSR1)), raise(SIGUSR1), show_log("ignored");
  CALL(sigaction(SIGKILL, &(struct sigaction){.sa_handler = simple}, 0)), CALL(sigaction(SIGSTOP, &(struct sigaction){.sa_handler = SIG_IGN}, 0)), CALL(sigaction(SIGKILL, 0, &old)), CALL(sigaction(0, 0, &old)), CALL(sigaction(65, 0, &old)), CALL(sigaction(32, 0, &old)), CALL(sigaction(64, 0, &old)), CALL(signal(SIGKILL, simple) == SIG_ERR), CALL(signal(99, simple) == SIG_ERR), CALL(raise(0)), CALL(raise(99)), CALL(kill(getpid(), 0)), CALL(kill(getpid(), 99)), CALL(kill(-99999, 0)), CALL(killpg(0, 0)), CALL(killpg(-5, 0)), CALL(sigprocmask(77, &old.sa_mask, 0)), CALL(sigprocmask(77, 0, 0)), CALL(sigaddset(&old.sa_mask, 0)), CALL(sigaddset(&old.sa_mask, 65)), CALL(sigismember(&old.sa_mask, 65));
}

static void queues(void) {
  struct sigaction a = {.sa_sigaction = informed, .sa_flags = SA_SIGINFO};
  sigfillset(&a.sa_mask), sigaction(SIGUSR1, &a, 0), sigaction(SIGRTMIN, &a, 0), sigaction(SIGRTMIN + 1, &a, 0);
  raise(SIGUSR1), show_log("raise"), kill(getpid(), SIGUSR1), show_log("kill"), sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 5}), show_log("queue"), pthread_kill(pthread_self(), SIGUSR1), show_log("thread");
  block(SIG_BLOCK, SIGRTMIN, SIGRTMIN + 1), block(SIG_BLOCK, SIGUSR1, 0);
  sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 1}), sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 2}), sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 3}), sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 4}), sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 5}), raise(SIGRTMIN), raise(SIGUSR1);
  sigset_t s; sigfillset(&s), CALL(sigprocmask(SIG_UNBLOCK, &s, 0)), show_log("all at once"), CALL(sigqueue(getpid(), 99, (union sigval){0})), CALL(sigqueue(getpid(), 0, (union sigval){0})), CALL(sigqueue(99999, SIGUSR1, (union sigval){0}));
}

static void waits(void) {
  sigset_t s, none; siginfo_t i; int n; struct timespec brief = {0, 1000000}, bad = {0, 1000000000}, zero = {0, 0};
  sigemptyset(&none), act(SIGUSR1, simple, 0, 0), act(SIGALRM, simple, SA_RESTART, 0), act(SIGUSR2, simple, 0, 0);
  set_of(&s, SIGUSR1, SIGUSR2), sigprocmask(SIG_BLOCK, &s, 0), raise(SIGUSR2), raise(SIGUSR1), CALL(sigwait(&s, &n)), SHOW(n), CALL(sigwaitinfo(&s, &i)), SHOW(i.si_signo), SHOW(i.si_code), SHOW(i.si_pid == getpid()), show_log("no handler");
  CALL(sigtimedwait(&s, &i, &brief)), CALL(sigtimedwait(&s, &i, &zero)), CALL(sigtimedwait(&s, &i, &bad)), CALL(sigtimedwait(&none, &i, &zero)), raise(SIGUSR1), CALL(sigtimedwait(&s, 0, &bad)), CALL(sigtimedwait(&s, 0, &zero));
  raise(SIGUSR1), raise(SIGUSR2), CALL(sigsuspend(&none)), show_log("suspend"), SHOW(mask() >> 9 & 5), raise(SIGUSR1), set_of(&s, SIGUSR2, 0), CALL(sigsuspend(&s)), show_log("suspend 1"), raise(SIGUSR2), set_of(&s, SIGUSR2, 0), ualarm(20000, 0), CALL(sigsuspend(&s)), show_log("suspend alarm"), CALL(sigwait(&s, &n)), SHOW(n);
  set_of(&s, SIGUSR2, 0), ualarm(20000, 0), CALL(sigwaitinfo(&s, &i)), show_log("interrupted"), ualarm(20000, 0), CALL(sigtimedwait(&s, &i, &(struct timespec){1, 0})), show_log("interrupted"), ualarm(20000, 0), CALL(pause()), show_log("pause"), raise(SIGUSR2), CALL(sigpause(SIGUSR2));
}

static void jump(int n) { note("j", n); extern sigjmp_buf out; siglongjmp(out, n); }
sigjmp_buf out;
static void restarts(int flags) {
  int p[2], n, status; char c; struct timespec left = {0, 0}, second = {0, 900000000}; fd_set r; struct pollfd e;
  pipe(p), printf("flags %x\n", flags), act(SIGALRM, simple, flags, 0), e.fd = p[0], e.events = POLLIN;
  if (!flags) ualarm(20000, 0), CALL(read(p[0], &c, 1)), show_log("read");
  ualarm(20000, 0), CALL(poll(&e, 1, 2000)), show_log("poll"), ualarm(20000, 0); FD_ZERO(&r); FD_SET(p[0], &r); CALL(select(p[0] + 1, &r, 0, 0, &(struct timeval){1, 0})), show_log("select");
  ualarm(20000, 0), CALL(nanosleep(&second, &left)), SHOW(left.tv_nsec > 0 && left.tv_nsec < 900000000), show_log("sleep"), ualarm(20000, 0), CALL(usleep(900000)), show_log("usleep"), ualarm(20000, 0), CALL(clock_nanosleep(CLOCK_MONOTONIC, 0, &second, &left)), show_log("clock_nanosleep"), ualarm(20000, 0), CALL(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){time(0) + 3, 0}, 0)), show_log("absolute"), ualarm(20000, 0), CALL(sleep(3)), show_log("sleep");
  sem_t m; sem_init(&m, 0, 0), ualarm(20000, 0);
  struct timespec limit; clock_gettime(CLOCK_REALTIME, &limit), limit.tv_nsec += 300000000, limit.tv_sec += limit.tv_nsec / 1000000000, limit.tv_nsec %= 1000000000;
  CALL(sem_timedwait(&m, &limit)), show_log("sem_timedwait"); if (!flags) ualarm(20000, 0), CALL(sem_wait(&m)), show_log("sem_wait");
  pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t v = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(&k), ualarm(20000, 0), clock_gettime(CLOCK_REALTIME, &limit), limit.tv_nsec += 300000000, limit.tv_sec += limit.tv_nsec / 1000000000, limit.tv_nsec %= 1000000000, CALL(pthread_cond_timedwait(&v, &k, &limit)), show_log("cond"), pthread_mutex_unlock(&k);
  ualarm(20000, 0), act(SIGALRM, jump, flags, SIGUSR1);
  if ((n = sigsetjmp(out, 1)) == 0) read(p[0], &c, 1), puts("?");
  SHOW(n), show_log("jump"), SHOW(mask() >> 13 & 1), SHOW(mask() >> 9 & 1);
  close(p[0]), close(p[1]);
}
int main(void) { setlinebuf(stdout), handlers(), queues(), waits(), restarts(0), restarts(SA_RESTART); return 0; }
