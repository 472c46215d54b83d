// Variables whose end runs code, in loops, with breaks and returns.
// input: 1
#include "outcome.h"

static int log_of_ends;
static void end(int *value) { log_of_ends = (log_of_ends * 3 + *value) % 101; }
#define SCOPED __attribute__((cleanup(end))) int
static int work(unsigned char in) {
  SCOPED outer = 1;
  for (int i = 0; i < 4; i++) {
    SCOPED inner = i + 2;
    if (i == (in & 3)) {
      if (in & 8) break;
      if (in & 4) continue;
      return i;
    }
    SCOPED later = 5;
    outer += later;
  }
  return 9;
}

int main(void) {
  unsigned char in;
  take(&in, 1);
  int result = work(in);
  return each((result + log_of_ends) % 120);
}
