/* Cancellation of threads: in what waits, at a test, disabled, asynchronous, with handlers; and signals to threads. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, nothing;
static int pipes[2];
static volatile int reached;

static void handler(void *argument) { printf("  handler %s\n", (const char *)argument); }
static void unlock(void *argument) {
  pthread_mutex_unlock(argument);
  printf("  unlocked\n");
}

static void *sleeps(void *argument) {
  pthread_cleanup_push(handler, "outer");
  pthread_cleanup_push(handler, "inner");
  sem_post(&ready);
  struct timespec long_time = {1000, 0};
  nanosleep(&long_time, NULL);
  printf("  not reached\n");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void *waits_for_condition(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  sem_post(&ready);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return NULL;
}

static void *waits_for_semaphore(void *argument) {
  sem_post(&ready);
  while (sem_wait(&nothing)) {
  }
  return NULL;
}

static void *reads(void *argument) {
  char byte;
  sem_post(&ready);
  read(pipes[0], &byte, 1);
  return NULL;
}

static void *joins(void *argument) {
  sem_post(&ready);
  pthread_join(*(pthread_t *)argument, NULL);
  return NULL;
}

static void *tests(void *argument) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  printf("  was %d\n", old == PTHREAD_CANCEL_ENABLE);
  sem_post(&ready);
  sem_wait(&nothing);
  pthread_testcancel();
  printf("  disabled\n");
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  printf("  was %d\n", old == PTHREAD_CANCEL_ENABLE);
  pthread_testcancel();
  printf("  not reached\n");
  return NULL;
}

static void *ends_itself(void *argument) {
  pthread_cleanup_push(handler, "of exit");
  pthread_cleanup_push(handler, "popped without a call");
  pthread_cleanup_pop(0);
  pthread_cleanup_push(handler, "popped with a call");
  pthread_cleanup_pop(1);
  pthread_exit("result");
  pthread_cleanup_pop(0);
  return NULL;
}

static void *cancels_itself(void *argument) {
  int old;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  printf("  type was %d\n", old == PTHREAD_CANCEL_DEFERRED);
  pthread_cleanup_push(handler, "asynchronous");
  pthread_cancel(pthread_self());
  printf("  not reached\n");
  pthread_cleanup_pop(0);
  return NULL;
}

static void *asynchronous(void *argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&ready);
  for (;;) sched_yield();
  return NULL;
}

static pthread_key_t key;
static void destroy(void *value) { printf("  destroyed %s\n", (char *)value); }
static void *has_key(void *argument) {
  pthread_setspecific(key, "value");
  pthread_cleanup_push(handler, "before the key");
  sem_post(&ready);
  pause();
  pthread_cleanup_pop(0);
  return NULL;
}

static void run(const char *name, void *(*function)(void *), void *argument, int cancels) {
  pthread_t thread;
  void *result = NULL;
  printf("%s\n", name);
  fflush(stdout);
  pthread_create(&thread, NULL, function, argument);
  if (cancels) {
    sem_wait(&ready);
    flockfile(stdout); /* the handlers print after this line */
    printf("  cancel: %d\n", pthread_cancel(thread));
    fflush(stdout);
    funlockfile(stdout);
    if (cancels == 2) sem_post(&nothing);
  }
  printf("  join: %d", pthread_join(thread, &result));
  if (result == PTHREAD_CANCELED) printf(" canceled\n");
  else printf(" %s\n", result ? (char *)result : "null");
}

static void on_signal(int number) { reached = number; }
static void *waits_for_signal(void *argument) {
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  int error = sigwait(&set, &number);
  printf("  sigwait %d %d\n", error, number);
  return NULL;
}
static void *is_interrupted(void *argument) {
  struct timespec long_time = {1000, 0};
  sem_post(&ready);
  int result = nanosleep(&long_time, NULL), error = errno;
  printf("  nanosleep %d %d, reached %d\n", result, error == EINTR, reached);
  return NULL;
}

int main(void) {
  sem_init(&ready, 0, 0);
  sem_init(&nothing, 0, 0);
  pipe(pipes);
  pthread_key_create(&key, destroy);
  run("sleep", sleeps, NULL, 1);
  run("condition", waits_for_condition, NULL, 1);
  printf("  lock: %d\n", pthread_mutex_trylock(&lock));
  pthread_mutex_unlock(&lock);
  run("semaphore", waits_for_semaphore, NULL, 1);
  run("read", reads, NULL, 1);
  run("disabled, tested", tests, NULL, 2);
  run("exit", ends_itself, NULL, 0);
  run("itself", cancels_itself, NULL, 0);
  run("asynchronous", asynchronous, NULL, 1);
  run("key", has_key, NULL, 1);
  pthread_t sleeper;
  pthread_create(&sleeper, NULL, sleeps, NULL);
  sem_wait(&ready);
  run("join", joins, &sleeper, 1);
  pthread_cancel(sleeper);
  pthread_join(sleeper, NULL);

  printf("signals\n");
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, waits_for_signal, NULL);
  printf("  kill %d\n", pthread_kill(thread, 0));
  pthread_kill(thread, SIGUSR2);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, waits_for_signal, NULL);
  kill(getpid(), SIGUSR2);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, is_interrupted, NULL);
  sem_wait(&ready);
  for (int i = 0; i < 20; i++) usleep(1000);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
