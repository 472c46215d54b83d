// __builtin_setjmp and __builtin_longjmp.
// input: 2
// alphabet: 00 01 02 03 04 05
#include "outcome.h"

static void *words[5];
static int depth;
__attribute__((noinline)) static void dive(int levels, int jumps) {
  volatile char room[32];
  room[0] = (char)levels;
  depth++;
  if (levels == 0) {
    if (jumps) __builtin_longjmp(words, 1);
    return;
  }
  dive(levels - 1, jumps);
}

int main(void) {
  unsigned char in[2];
  volatile int tries = 0;
  take(in, 2);
  if (in[0] > 6) return 90;
  if (__builtin_setjmp(words)) {
    tries++;
    if (tries > 2) return 20 + depth;
  }
  dive(in[0], in[1] & 1);
  if (in[1] == 4) __builtin_longjmp(words, 1);
  return each(depth);
}
