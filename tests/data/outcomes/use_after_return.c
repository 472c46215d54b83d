// The address of a local is kept and used when its function has returned.
// input: 2
// alphabet: 00 01 02 03
// sanitizer: address
// bug: use_of_gone_local
#include "outcome.h"

static int *kept;

__attribute__((noinline)) static void remember(int value, int really) {
  int fleeting = value;
  static int lasting;
  lasting = value;
  kept = really ? &fleeting : &lasting;
}

__attribute__((noinline)) static int look(int add) {
  int other[4] = {add, add, add, add};
  return kept ? *kept + other[3] : 0;
}

int main(void) {
  unsigned char in[2];
  take(in, sizeof in);
  remember(in[0] & 3, in[1] == 3);
  if (in[1] == 2) kept = 0;
  return each(look(in[1] & 1));
}
