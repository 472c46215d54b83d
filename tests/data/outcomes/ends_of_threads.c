// Programs that end in a thread, by the main thread's end alone, by handlers of quick ends, or within a handler at exit.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdlib.h>

static unsigned char in;
static int at_end;

static void quick(void) { _exit(20 + (in >> 6)); }
static void last(void) {
  if (in & 16) _exit(30 + at_end);
  at_end++;
}
static void *work(void *nothing) {
  if (in & 1) exit(5);
  if (in & 2) quick_exit(6);
  at_end = 4;
  return 0;
}

int main(void) {
  pthread_t thread;
  take(&in, 1);
  at_quick_exit(quick);
  atexit(last);
  if (in & 8) atexit(last);
  if (pthread_create(&thread, 0, work, 0)) return 90;
  if (in & 4) pthread_exit(0);
  pthread_join(thread, 0);
  return at_end;
}
