// Pointers chosen by masks, exclusive or, products and tags go where they go natively.
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
static int other = 22;
int main(void) {
  int *p = malloc(sizeof *p), local = 33;
  *p = 11;
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  uintptr_t a = (uintptr_t)p, b = (uintptr_t)&other, c = (uintptr_t)&local;
  uintptr_t mask = -(uintptr_t)(x & 1);
  int *masked = (int *)((a & mask) | (b & ~mask));
  klee_assert(*masked == (x & 1 ? 11 : 22));
  int *mixed = (int *)(a ^ ((a ^ c) * (x > 9)));
  klee_assert(*mixed == (x > 9 ? 33 : 11));
  int *moved = (int *)(b + (c - b) * (x == 7));
  klee_assert(*moved == (x == 7 ? 33 : 22));
  uintptr_t keys[3] = {a ^ 0x5a5a5a5a5a5a5a5a, b ^ 0x5a5a5a5a5a5a5a5a, c ^ 0x5a5a5a5a5a5a5a5a};
  int *decoded = (int *)(keys[x % 3] ^ 0x5a5a5a5a5a5a5a5a);
  klee_assert(*decoded == (x % 3 + 1) * 11);
  uintptr_t tagged = a | (x & 3);
  int *plain = (int *)(tagged & ~(uintptr_t)3);
  *plain += 1;
  klee_assert(*p == 12);
  if ((tagged & 3) == 3) return 1;
  return 0;
}
