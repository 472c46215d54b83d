// Checks of alignment, lengths of arrays, objects' sizes and ends that are not to be reached, which trap.
// input: 2
// alphabet: 00 01 02 03 04 7f 80 ff
// flags: -fsanitize=alignment,bounds,vla-bound,unreachable,return,bool,enum,nonnull-attribute,pointer-overflow -fsanitize-trap=all
#include "outcome.h"
#include <stdbool.h>
#include <string.h>

static int sum_of(int count) {
  int words[count - 1], sum = 0;
  for (int i = 0; i < count - 1; i++) words[i] = i;
  for (int i = 0; i < count - 1; i++) sum += words[i];
  return sum;
}
static int named(unsigned char kind) {
  switch (kind & 3) {
  case 0: return 1;
  case 1: return 2;
  case 2: return 3;
  default: __builtin_unreachable();
  }
}
__attribute__((nonnull)) static int first(const char *text) { return text ? 5 : 6; }

int main(void) {
  unsigned char in[2];
  _Alignas(8) char bytes[16] = {0};
  bool truth;
  char table[4] = {7, 8, 9, 10};
  take(in, 2);
  switch (in[0] & 7) {
  case 0: return *(int *)(bytes + (in[1] & 7));
  case 1: return each(20 + sum_of(in[1] & 3));
  case 2: return named(in[1]);
  case 3: memcpy(&truth, in + 1, 1); return truth ? 31 : 30;
  case 4: return each(table[in[1] & 7]);
  case 5: return first(in[1] & 1 ? "x" : (char *)0);
  case 6: return (char *)in + ((unsigned long)-1 >> (in[1] & 1)) > (char *)0 ? 40 : 41;
  default: return 42;
  }
}
