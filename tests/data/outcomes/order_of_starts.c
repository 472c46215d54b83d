// Constructors and destructors with priorities, and functions registered while exiting.
// input: 1
#include "outcome.h"
#include <stdlib.h>
#include <unistd.h>

static int trace, status;
static unsigned char in;

static void note(int step) { trace = trace * 4 + step; }
static void at_exit_again(void) { status += 1; }
static void at_exit(void) {
  note(1);
  if (in & 2) atexit(at_exit_again);
}
__attribute__((constructor(300))) static void third(void) { note(3); }
__attribute__((constructor(101))) static void first(void) {
  note(1);
}
__attribute__((constructor(200))) static void second(void) {
  note(2);
  atexit(at_exit);
}
__attribute__((destructor(101))) static void last(void) {
  /* 1 2 3 from the start, 1 from atexit, 2 from the destructor before this one. */
  _exit(trace == (((1 * 4 + 2) * 4 + 3) * 4 + 1) * 4 + 2 ? 10 + status : 91);
}
__attribute__((destructor(200))) static void before_last(void) { note(2); }

int main(void) {
  take(&in, 1);
  if (trace != (1 * 4 + 2) * 4 + 3) return 92;
  if (in & 1) exit(1);
  if (in & 4) _exit(30);
  return 0;
}
