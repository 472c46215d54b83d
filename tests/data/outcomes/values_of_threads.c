// Values that belong to threads: keys with destructors, __thread, a once.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread int own = 5;
static int made, destroyed, sum;
static void destroy(void *value) {
  destroyed++;
  sum += *(int *)value;
  free(value);
}
static void make(void) {
  made++;
  pthread_key_create(&key, destroy);
}
static void *work(void *argument) {
  int number = *(unsigned char *)argument;
  pthread_once(&once, make);
  own += number & 7;
  if (number & 8) {
    int *value = malloc(sizeof *value);
    *value = own;
    pthread_setspecific(key, value);
  }
  if (number & 16) pthread_exit((void *)1);
  return pthread_getspecific(key) ? (void *)2 : (void *)3;
}

int main(void) {
  unsigned char in;
  pthread_t threads[2];
  long results = 0;
  take(&in, 1);
  for (int i = 0; i < 2; i++) {
    void *result;
    if (pthread_create(&threads[i], 0, work, &in)) return 90;
    pthread_join(threads[i], &result);
    results += (long)result;
  }
  if (own != 5 || made != 1) return 91;
  return each((int)results + destroyed * 10 + sum * 2);
}
