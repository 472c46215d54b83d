// Workers that meet at a barrier after each phase; one of them is told to tidy up.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

enum { WORKERS = 3 };
static pthread_barrier_t barrier;
static int cells[WORKERS], phases, serial[8];
static void *work(void *argument) {
  long self = (long)argument;
  for (int phase = 0; phase < phases; phase++) {
    cells[self] += phase + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial[phase]++;
    int next = cells[(self + 1) % WORKERS];
    pthread_barrier_wait(&barrier);
    cells[self] = next;
  }
  return (void *)(long)cells[self];
}

int main(void) {
  unsigned char in;
  pthread_t threads[WORKERS];
  int sum = 0;
  take(&in, 1);
  phases = in & 3;
  pthread_barrier_init(&barrier, 0, WORKERS);
  for (long i = 0; i < WORKERS; i++) {
    cells[i] = (int)(i * i);
    if (pthread_create(&threads[i], 0, work, (void *)i)) return 90;
  }
  for (int i = 0; i < WORKERS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    sum += (int)(long)result * (i + 1);
  }
  for (int i = 0; i < phases; i++)
    if (serial[i] != 1) return 91;
  return each(sum);
}
