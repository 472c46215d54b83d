// expect: exits 1
#include <klee/klee.h>
#include <string.h>
union bits { float f; unsigned u; unsigned char b[4]; };
int main(void) {
  unsigned char bytes[12];
  for (int i = 0; i < 12; i++) bytes[i] = (unsigned char)(i + 1);
  unsigned long word;
  memcpy(&word, bytes + 3, 8);
  klee_assert(word == 0x0b0a090807060504ul);
  union bits one = {.f = 1.0f};
  klee_assert(one.u == 0x3f800000 && one.b[3] == 0x3f);
  struct { unsigned a : 3, b : 7, c : 22; } fields = {5, 99, 123456};
  fields.b += 3;
  klee_assert(fields.a == 5 && fields.b == 102 && fields.c == 123456);
  return 0;
}
