// Queued signals, a jump that restores the mask, a cancelled thread: natively as in homi.
// run: --sym-stdin 1
// statuses: 0 1 2 3 4
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf place;
static int unlocked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void leave(int number) { siglongjmp(place, number); }
static void unlock(void *argument) { pthread_mutex_unlock(&lock), unlocked++; }
static void *wait_for_ever(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, 0);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  char c;
  sigset_t set;
  siginfo_t information;
  struct timespec limit = {5, 0};
  if (read(0, &c, 1) != 1) return 9;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  switch (c) {
  case 'q':
    sigprocmask(SIG_BLOCK, &set, 0);
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 5});
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 6});
    if (sigwaitinfo(&set, &information) != SIGRTMIN || information.si_value.sival_int != 5) return 10;
    if (sigtimedwait(&set, &information, &limit) != SIGRTMIN || information.si_value.sival_int != 6) return 11;
    return sigtimedwait(&set, &information, &limit) == -1 ? 1 : 12;
  case 'j':
    signal(SIGUSR1, leave);
    if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, 0, &set);
    return sigismember(&set, SIGUSR1) ? 13 : 2;
  case 'c': {
    pthread_t thread;
    void *result = 0;
    pthread_create(&thread, 0, wait_for_ever, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    return result == PTHREAD_CANCELED ? 3 : 14;
  }
  case 'm': {
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_ever, 0);
    sched_yield();
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return pthread_mutex_trylock(&lock) ? 15 : 4;
  }
  }
  return 0;
}
