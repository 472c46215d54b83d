// A counter without a lock beside one with, and one that a join orders.
// statuses: 5
// options: --checks race
// report: data race: 
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded, unguarded, joined;
static void *count(void *argument) {
  pthread_mutex_lock(&lock);
  guarded++;
  pthread_mutex_unlock(&lock);
  unguarded++;
  joined = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  joined = 0;
  if (pthread_create(&thread, 0, count, 0)) return 90;
  pthread_mutex_lock(&lock);
  guarded++;
  pthread_mutex_unlock(&lock);
  unguarded++;
  pthread_join(thread, 0);
  return guarded + unguarded + joined;
}
