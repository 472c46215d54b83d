// A flag that orders nothing: what is written before it is read without order.
// statuses: 7
// options: --checks race
// report: data race: a read of 4 bytes
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;
static void *work(void *argument) {
  data = 7;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, work, 0)) return 90;
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
  }
  int seen = data;
  pthread_join(thread, 0);
  return seen;
}
