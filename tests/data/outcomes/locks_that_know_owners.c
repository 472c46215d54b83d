// Locks that check: taken twice, given back by another, tried, recursive.
// input: 1
// flags: -pthread
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static void *give_back(void *argument) { return (void *)(long)pthread_mutex_unlock(&lock); }

int main(void) {
  unsigned char in;
  pthread_mutexattr_t kind;
  pthread_t thread;
  void *result;
  take(&in, 1);
  int checks = in & 1;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, checks ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  if (pthread_mutex_lock(&lock)) return 90;
  int again = pthread_mutex_lock(&lock);
  if (again != (checks ? EDEADLK : 0)) return 91;
  if (in & 2) {
    if (pthread_create(&thread, 0, give_back, 0)) return 92;
    pthread_join(thread, &result);
    if ((long)result != EPERM) return 93;
  }
  int unlocks = 0;
  while (unlocks < 5 && pthread_mutex_unlock(&lock) == 0) unlocks++;
  if (in & 4) return pthread_mutex_destroy(&lock) == 0 ? 10 + unlocks : 94;
  return pthread_mutex_trylock(&lock) == 0 ? 20 + unlocks : 95;
}
