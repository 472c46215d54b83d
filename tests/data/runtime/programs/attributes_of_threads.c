/* Attributes that glibc has of its own: masks and processors of a new thread, kinds of locks, signals with a value to a thread. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void *has_blocked(void *unused) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, NULL, &now);
  printf("usr1 %d usr2 %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2));
  return NULL;
}

static void got(int number, siginfo_t *information, void *context) {
  printf("signal %d value %d code %d\n", number == SIGUSR1, information->si_value.sival_int, information->si_code == SI_QUEUE);
}

static void *waits(void *unused) {
  sigset_t set;
  siginfo_t information;
  sigemptyset(&set), sigaddset(&set, SIGUSR2);
  printf("%d", sigwaitinfo(&set, &information) == SIGUSR2);
  printf(" %d\n", information.si_value.sival_int);
  return NULL;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_rwlockattr_t kinds;
  pthread_t thread;
  sigset_t set, none;
  cpu_set_t one, all;
  int kind = -1;
  pthread_attr_init(&attributes);
  sigemptyset(&set), sigaddset(&set, SIGUSR1);
  printf("%d\n", pthread_attr_getsigmask_np(&attributes, &none));
  printf("%d", pthread_attr_setsigmask_np(&attributes, &set)), printf(" %d", pthread_attr_getsigmask_np(&attributes, &none));
  printf(" %d %d\n", sigismember(&none, SIGUSR1), sigismember(&none, SIGUSR2));
  pthread_create(&thread, &attributes, has_blocked, NULL), pthread_join(thread, NULL);
  printf("%d\n", pthread_attr_setsigmask_np(&attributes, NULL));
  pthread_create(&thread, &attributes, has_blocked, NULL), pthread_join(thread, NULL);
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  CPU_ZERO(&all);
  printf("%d", pthread_attr_getaffinity_np(&attributes, sizeof all, &all)), printf(" %d\n", CPU_COUNT(&all));
  printf("%d", pthread_attr_setaffinity_np(&attributes, sizeof one, &one));
  printf(" %d", pthread_attr_getaffinity_np(&attributes, sizeof all, &all)), printf(" %d %d\n", CPU_COUNT(&all), !!CPU_ISSET(0, &all));
  printf("%d", pthread_attr_setaffinity_np(&attributes, 0, NULL)), printf(" %d\n", pthread_attr_destroy(&attributes));
  pthread_rwlockattr_init(&kinds);
  for (int wish = -1; wish < 4; wish++) printf("%d ", pthread_rwlockattr_setkind_np(&kinds, wish));
  printf("%d", pthread_rwlockattr_getkind_np(&kinds, &kind)), printf(" %d\n", kind);
  struct sigaction action = {.sa_sigaction = got, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  printf("%d\n", pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_int = 7}));
  printf("%d\n", pthread_sigqueue(pthread_self(), 99, (union sigval){0})), printf("%d\n", pthread_sigqueue(pthread_self(), 33, (union sigval){0}));
  sigemptyset(&set), sigaddset(&set, SIGUSR2), pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, waits, NULL);
  printf("%d\n", pthread_sigqueue(thread, SIGUSR2, (union sigval){.sival_int = 9}));
  pthread_join(thread, NULL);
  return 0;
}
