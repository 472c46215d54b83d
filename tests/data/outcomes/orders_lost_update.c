// Two threads that add without a lock: one preemption loses an addition.
// statuses: 11 12
// options: --max-preemptions 2
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum = 10;
static void *add(void *argument) {
  int seen = atomic_load(&sum);
  atomic_store(&sum, seen + 1);
  return argument;
}

int main(void) {
  pthread_t one, two;
  if (pthread_create(&one, 0, add, 0) || pthread_create(&two, 0, add, 0)) return 90;
  pthread_join(one, 0);
  pthread_join(two, 0);
  return atomic_load(&sum);
}
