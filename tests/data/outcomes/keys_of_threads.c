// Values of threads with destructors that set them again, initialisation once, threads that end within calls.
// input: 1
// flags: -pthread
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ended, began;
static _Thread_local int own = 3;

static void end(void *value) {
  ended++;
  long left = (long)value - 1;
  if (left > 0) pthread_setspecific(key, (void *)left);
}
static void begin(void) {
  began++;
  if (pthread_key_create(&key, end)) exit(90);
}
static void clean(void *to) { *(int *)to += 10; }
static void *work(void *argument) {
  long count = (long)argument;
  int cleaned = 0;
  pthread_once(&once, begin);
  own += (int)count;
  pthread_setspecific(key, argument);
  pthread_cleanup_push(clean, &ended);
  if (count == 2) pthread_exit((void *)7);
  pthread_cleanup_pop(count == 1);
  (void)cleaned;
  return (void *)(long)own;
}

int main(void) {
  unsigned char in;
  void *result;
  pthread_t thread;
  pthread_mutexattr_t kind;
  pthread_mutex_t mutex;
  take(&in, 1);
  pthread_once(&once, begin);
  if (pthread_create(&thread, 0, work, (void *)(long)(in & 3)) || pthread_join(thread, &result)) return 91;
  if (began != 1 || own != 3 || pthread_getspecific(key)) return 92;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, in & 4 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &kind);
  if (pthread_mutex_unlock(&mutex) != EPERM) return 93;
  pthread_mutex_lock(&mutex);
  int again = pthread_mutex_lock(&mutex);
  if (again != (in & 4 ? 0 : EDEADLK)) return 94;
  if (pthread_join(pthread_self(), 0) != EDEADLK) return 95;
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 1000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_nsec -= 1000000000, soon.tv_sec++;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&plain);
  if (pthread_cond_timedwait(&never, &plain, &soon) != ETIMEDOUT) return 96;
  if (pthread_mutex_trylock(&plain) != EBUSY) return 97;
  return each((int)(long)result * 10 + ended);
}
