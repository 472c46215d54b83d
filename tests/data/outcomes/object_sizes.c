// What the compiler knows of sizes and constants, next to what only the run knows.
// input: 2
// alphabet: 00 01 02 03 04
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

static char global[24];

int main(void) {
  unsigned char in[2];
  char local[10], *any;
  take(in, sizeof in);
  any = in[0] & 1 ? local : global;
  size_t known = __builtin_object_size(local, 0), none = __builtin_object_size(any, 0);
  size_t rest = __builtin_object_size(global + 4, 1);
  if (known != 10 || rest != 20) return 100;
  if (none != (size_t)-1 && none != 24) return 101;
  if (!__builtin_constant_p(sizeof local) || __builtin_constant_p(in[0])) return 102;
  size_t room = in[0] & 1 ? sizeof local : sizeof global;
  if (in[1] > room) return 50;
  memset(any, 1, in[1]);
  return each(in[1] ? any[in[1] - 1] + (any == local) : 9);
}
