// Constructors by priority, exit handlers in reverse, a last one that changes the status.
// input: 1
#include "outcome.h"
#include <stdlib.h>

static int order, choice;
__attribute__((constructor(210))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((constructor(105))) static void first(void) { order = order * 10 + 1; }
static int closed;
static void close_one(void) { closed = closed * 2 + 1; }
static void close_two(void) { closed = closed * 2; }
static void decide(void) {
  if (choice == 2) _exit(70 + closed);
}
__attribute__((destructor)) static void finish(void) {
  if (choice == 3) _exit(80 + closed);
}

int main(void) {
  unsigned char in;
  take(&in, 1);
  if (order != 123) return 90;
  choice = in & 3;
  atexit(decide);
  atexit(close_one);
  if (in & 4) atexit(close_two);
  if (in & 8) atexit(close_one);
  if (choice == 1) _exit(60);
  exit(5);
}
