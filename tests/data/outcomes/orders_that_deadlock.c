// Two locks taken in two orders: only an interruption between them shows the deadlock.
// statuses: 3
// options: --max-preemptions 1
// report: deadlock: every thread waits for another
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *other(void *argument) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  done |= 1;
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, other, 0)) return 90;
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  done |= 2;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  pthread_join(thread, 0);
  return done;
}
