// Values of 64 bits that are a double, a small number or a pointer with its type in the upper bits.
// input: 4
// alphabet: 00 01 02 03 04 05 7f 80
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t value;
enum { TAG_NUMBER = 0x7ff9, TAG_CELL = 0x7ffa, TAG_TEXT = 0x7ffb };
struct cell {
  value first, rest;
};

static value number(int n) { return (uint64_t)TAG_NUMBER << 48 | (uint32_t)n; }
static value pointer(int tag, const void *p) { return (uint64_t)tag << 48 | (uintptr_t)p; }
static int tag(value v) { return (int)(v >> 48); }
static void *address(value v) { return (void *)(uintptr_t)(v << 16 >> 16); }
static value real(double d) {
  value v;
  memcpy(&v, &d, 8);
  return v;
}

int main(void) {
  unsigned char in[4];
  value all[6];
  take(in, sizeof in);
  struct cell *one = malloc(sizeof *one), *two = malloc(sizeof *two);
  if (!one || !two) return 249;
  *one = (struct cell){number(in[2] & 7), pointer(TAG_CELL, two)};
  *two = (struct cell){pointer(TAG_TEXT, "text"), number(3)};
  all[0] = number(-1);
  all[1] = pointer(TAG_CELL, one);
  all[2] = pointer(TAG_TEXT, "hello");
  all[3] = real(1.5);
  all[4] = pointer(TAG_CELL, two);
  all[5] = real(-2.0);
  value v = all[in[0] % 6];
  for (int steps = in[1] & 3; steps; steps--) {
    if (tag(v) != TAG_CELL) return 60;
    v = in[3] & 1 ? ((struct cell *)address(v))->first : ((struct cell *)address(v))->rest;
  }
  switch (tag(v)) {
  case TAG_NUMBER: return each(8 + (int32_t)v);
  case TAG_TEXT: return each(20 + (int)strlen(address(v)));
  case TAG_CELL: return each(address(v) == one ? 40 : 41);
  default: return each(v >> 63 ? 50 : 51);
  }
}
