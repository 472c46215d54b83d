// Threads that wait for each other by looking, at atomics and at a lock of the program's own.
// input: 2
// alphabet: 00 01 02 78
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, answered;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int shared, sum;

static void enter(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
}
static void leave(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

static void *produce(void *argument) {
  shared = *(unsigned char *)argument;
  atomic_store_explicit(&ready, 1, memory_order_release);
  while (!atomic_load(&answered)) {
  }
  enter();
  sum += 5;
  leave();
  return 0;
}

int main(void) {
  unsigned char in[2];
  pthread_t thread;
  take(in, 2);
  if (pthread_create(&thread, 0, produce, in) != 0) return 90;
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  int seen = shared;
  enter();
  atomic_store(&answered, 1);
  for (volatile int i = 0; i < 200000; i++) sum = in[1] & 3;
  leave();
  pthread_join(thread, 0);
  if (seen == 'x') return 10 + sum;
  return 30 + sum;
}
