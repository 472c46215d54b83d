// expect: exits 2
// expect: statuses 0 1
// level: -O0
// level: -O1
// level: -O2
// Undefined bytes and bits that are moved about, masked away or overwritten decide nothing.
#include "klee/klee.h"
#include <stdlib.h>
#include <string.h>

struct padded {
  char c;
  long l;
  short s;
};

struct bits {
  unsigned a : 3, b : 7;
  unsigned long c : 40;
  signed d : 5;
};

static struct padded pass(struct padded p) { return p; }

struct two {
  char c;
  int i;
};

static struct two small(struct two t, int i) {
  t.i += i;
  return t;
}

int main(void) {
  unsigned char in;
  klee_make_symbolic(&in, 1, "in");
  struct padded one, other[3];
  one.c = in;
  one.l = 5;
  one.s = 7;
  memcpy(&other[1], &one, sizeof one);
  other[2] = pass(other[1]);
  if (other[2].l != 5 || other[2].s != 7 || other[2].c != (char)in)
    abort();
  struct two t;
  t.c = 1;
  t.i = 2;
  t = small(t, 3);
  if (t.i != 5 || t.c != 1)
    abort();
  struct bits bits, *heap = malloc(sizeof *heap);
  bits.b = in;
  bits.d = -3;
  memcpy(heap, &bits, sizeof bits);
  heap->c = 1ul << 39;
  if (heap->b != (in & 127) || heap->d != -3 || heap->c >> 39 != 1)
    abort();
  unsigned *words = malloc(8);
  ((unsigned char *)words)[1] = in;
  if ((words[0] >> 8 & 255) != in || (words[1] & 0) || (words[1] | 1) == 0)
    abort();
  unsigned char moved[8], *bytes = (unsigned char *)words;
  for (int i = 0; i < 8; i++)
    moved[i] = bytes[i] ^ 0;
  words = realloc(words, 400);
  if (moved[1] != in || ((unsigned char *)words)[1] != in)
    abort();
  return in > 9;
}
