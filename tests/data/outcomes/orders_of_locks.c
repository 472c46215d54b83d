// Three threads that append their letter under a lock: all six orders of three.
// statuses: 36 39 48 54 63 66
// options: --max-preemptions 1
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int letters;
static void *append(void *argument) {
  pthread_mutex_lock(&lock);
  letters = letters * 4 + (int)(long)argument;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++)
    if (pthread_create(&threads[i], 0, append, (void *)(i + 1))) return 90;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  /* 1 2 3 is 27, 3 2 1 is 57 */
  return letters + 9;
}
