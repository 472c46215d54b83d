// Two threads that write and then read the other's variable: one of them at least sees the other
// (Dekker), so three outcomes of four.
// statuses: 1 2 3
// options: --max-preemptions 2
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, seen_by_one, seen_by_two;
static void *one(void *argument) {
  atomic_store(&x, 1);
  atomic_store(&seen_by_one, atomic_load(&y));
  return argument;
}
static void *two(void *argument) {
  atomic_store(&y, 1);
  atomic_store(&seen_by_two, atomic_load(&x));
  return argument;
}

int main(void) {
  pthread_t a, b;
  if (pthread_create(&a, 0, one, 0) || pthread_create(&b, 0, two, 0)) return 90;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 2 * atomic_load(&seen_by_one) + atomic_load(&seen_by_two);
}
