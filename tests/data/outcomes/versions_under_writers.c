// A sequence lock, a lock by a flag of one byte, and a word that threads wait on, with readers and a writer.
// input: 1
// flags: -pthread
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

static _Atomic unsigned version;
static _Atomic int first, second;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic int ready;
static int shared;

static long futex(_Atomic int *at, int what, int value, struct timespec *limit) {
  return syscall(SYS_futex, at, what, value, limit, 0, 0);
}
static void put(int value) {
  atomic_fetch_add_explicit(&version, 1, memory_order_acquire);
  atomic_store_explicit(&first, value, memory_order_relaxed);
  atomic_store_explicit(&second, -value, memory_order_relaxed);
  atomic_fetch_add_explicit(&version, 1, memory_order_release);
}
static int get(void) {
  for (;;) {
    unsigned before = atomic_load_explicit(&version, memory_order_acquire);
    int a = atomic_load_explicit(&first, memory_order_relaxed), b = atomic_load_explicit(&second, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (!(before & 1) && before == atomic_load_explicit(&version, memory_order_relaxed)) return a == -b ? a : 99;
  }
}
static void *writer(void *count) {
  for (long i = 1; i <= (long)count; i++) put((int)i);
  while (atomic_flag_test_and_set(&flag)) __builtin_ia32_pause();
  shared += 10;
  atomic_flag_clear(&flag);
  atomic_store(&ready, 1);
  futex(&ready, FUTEX_WAKE_PRIVATE, 1, 0);
  return 0;
}

int main(void) {
  unsigned char in;
  pthread_t thread;
  take(&in, 1);
  struct timespec soon = {0, 1000000};
  if (futex(&ready, FUTEX_WAIT_PRIVATE, 5, 0) != -1 || errno != EAGAIN) return 90;
  if (futex(&ready, FUTEX_WAIT_PRIVATE, 0, &soon) != -1 || errno != ETIMEDOUT) return 91;
  if (pthread_create(&thread, 0, writer, (void *)(long)(in & 3))) return 92;
  while (!atomic_load(&ready))
    if (futex(&ready, FUTEX_WAIT_PRIVATE, 0, 0) == -1 && errno != EAGAIN && errno != EINTR) return 93;
  while (atomic_flag_test_and_set(&flag)) __builtin_ia32_pause();
  shared += get();
  atomic_flag_clear(&flag);
  pthread_join(thread, 0);
  return shared;
}
