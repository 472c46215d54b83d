// The address of a variable of a thread is given to another thread, which writes there and to its own.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <pthread.h>

static __thread int own = 3;

static void *writes(void *lent) {
  int *other = lent;
  int is_another = other != &own;
  own = 50;
  *other += 4;
  return (void *)(long)(is_another * 100 + own);
}

int main(void) {
  unsigned char letter;
  pthread_t thread;
  void *result = 0;
  take(&letter, 1);
  own += letter & 3;
  int *lent = &own;
  if (pthread_create(&thread, 0, writes, lent) || pthread_join(thread, &result)) return 240;
  if (own != *lent) return 241;
  return each((int)(long)result + own - 100);
}
