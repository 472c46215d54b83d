// A queue between two threads, with a lock and two conditions.
// input: 2
// alphabet: 00 01 02 03 04 05
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

static struct {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  int items[2], count, closed;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};

static void put(int item) {
  pthread_mutex_lock(&queue.lock);
  while (queue.count == 2) pthread_cond_wait(&queue.not_full, &queue.lock);
  queue.items[queue.count++] = item;
  pthread_cond_signal(&queue.not_empty);
  pthread_mutex_unlock(&queue.lock);
}
static int get(int *item) {
  pthread_mutex_lock(&queue.lock);
  while (queue.count == 0 && !queue.closed) pthread_cond_wait(&queue.not_empty, &queue.lock);
  int found = queue.count > 0;
  if (found) {
    *item = queue.items[0];
    queue.items[0] = queue.items[1];
    queue.count--;
    pthread_cond_signal(&queue.not_full);
  }
  pthread_mutex_unlock(&queue.lock);
  return found;
}
static void *consume(void *argument) {
  int item, sum = 0;
  while (get(&item)) sum = sum * 2 + item;
  *(int *)argument = sum;
  return argument;
}

int main(void) {
  unsigned char in[2];
  pthread_t thread;
  int sum = -1;
  take(in, 2);
  if (pthread_create(&thread, 0, consume, &sum)) return 90;
  for (int i = 0; i < (in[0] & 7); i++) put(i & in[1] & 3);
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_broadcast(&queue.not_empty);
  pthread_mutex_unlock(&queue.lock);
  void *result;
  if (pthread_join(thread, &result) || result != &sum) return 91;
  return each(sum & 127);
}
