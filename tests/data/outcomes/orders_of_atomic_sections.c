// Two threads that add between begin and end of an atomic section: no preemption loses an addition.
// statuses: 12
// options: --max-preemptions 2
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void) __attribute__((weak));
void __VERIFIER_atomic_end(void) __attribute__((weak));

static atomic_int sum = 10;
static void *add(void *argument) {
  if (__VERIFIER_atomic_begin) __VERIFIER_atomic_begin();
  int seen = atomic_load(&sum);
  atomic_store(&sum, seen + 1);
  if (__VERIFIER_atomic_end) __VERIFIER_atomic_end();
  return argument;
}

int main(void) {
  pthread_t one, two;
  if (pthread_create(&one, 0, add, 0) || pthread_create(&two, 0, add, 0)) return 90;
  pthread_join(one, 0);
  pthread_join(two, 0);
  return atomic_load(&sum);
}
