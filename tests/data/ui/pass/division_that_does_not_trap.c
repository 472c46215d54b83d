// Numbers narrower than int are divided as int, and 128 bits by a function.
// expect: exits 1
// expect: statuses 0
// level: -O0
#include <klee/klee.h>
int main(void) {
  volatile signed char a = -128, b = -1;
  volatile short c = -32768, d = -1;
  klee_assert(a / b == 128 && a % b == 0 && c / d == 32768 && c % d == 0);
  volatile __int128 e = (__int128)1 << 126, f = -1;
  klee_assert(e / f == -e);
  int quotient = -77, rest;
  __asm__("cltd\n\tidivl %2" : "+a"(quotient), "=&d"(rest) : "r"(10));
  klee_assert(quotient == -7 && rest == -7);
  return 0;
}
