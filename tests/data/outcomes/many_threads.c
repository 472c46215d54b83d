// Forty-five threads at once, a barrier, a spin lock and a count.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

enum { THREADS = 45 };
static pthread_barrier_t barrier;
static pthread_spinlock_t lock;
static int sum;

static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 3; i++) {
    pthread_spin_lock(&lock);
    sum += (int)(long)argument;
    pthread_spin_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  unsigned char in;
  take(&in, 1);
  pthread_barrier_init(&barrier, 0, THREADS);
  pthread_spin_init(&lock, 0);
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], 0, work, (void *)(i + (in > 100)))) return 90;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return sum == 3 * 990 ? 1 : sum == 3 * 1035 ? 2 : 91;
}
