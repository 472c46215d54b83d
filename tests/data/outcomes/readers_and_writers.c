// A lock for many readers or one writer, tried and timed.
// input: 1
// flags: -pthread
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int tried[3];
static void *try_all(void *argument) {
  struct timespec soon;
  tried[0] = pthread_rwlock_tryrdlock(&lock);
  if (tried[0] == 0) pthread_rwlock_unlock(&lock);
  tried[1] = pthread_rwlock_trywrlock(&lock);
  if (tried[1] == 0) pthread_rwlock_unlock(&lock);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 2000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  tried[2] = pthread_rwlock_timedwrlock(&lock, &soon);
  if (tried[2] == 0) pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  unsigned char in;
  pthread_t thread;
  take(&in, 1);
  if (in < 80) pthread_rwlock_rdlock(&lock);
  else if (in < 160) pthread_rwlock_wrlock(&lock);
  if (pthread_create(&thread, 0, try_all, 0) || pthread_join(thread, 0)) return 90;
  int result = (tried[0] == EBUSY) + 2 * (tried[1] == EBUSY) + 4 * (tried[2] == ETIMEDOUT);
  if (in < 160 && pthread_rwlock_unlock(&lock)) return 91;
  return result + 10 * (pthread_rwlock_trywrlock(&lock) == 0);
}
