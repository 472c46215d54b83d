// All that orders: creation, joins, locks, conditions, semaphores, barriers, atomics with flags.
// statuses: 31
// options: --checks race
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t ready;
static atomic_int flag;
static int before, by_flag, by_semaphore, by_condition, is_told, by_barrier, by_join;
static void *work(void *argument) {
  int seen = before;
  by_flag = 2;
  atomic_store_explicit(&flag, 1, memory_order_release);
  by_semaphore = 4;
  sem_post(&ready);
  pthread_mutex_lock(&lock);
  by_condition = 8;
  is_told = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_barrier_wait(&barrier);
  by_join = by_barrier + seen;
  return argument;
}

int main(void) {
  pthread_t thread;
  before = 1;
  sem_init(&ready, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  if (pthread_create(&thread, 0, work, 0)) return 90;
  while (!atomic_load_explicit(&flag, memory_order_acquire)) {
  }
  int sum = by_flag;
  sem_wait(&ready);
  sum += by_semaphore;
  pthread_mutex_lock(&lock);
  while (!is_told) pthread_cond_wait(&changed, &lock);
  sum += by_condition;
  pthread_mutex_unlock(&lock);
  by_barrier = 16;
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  return sum + by_join;
}
