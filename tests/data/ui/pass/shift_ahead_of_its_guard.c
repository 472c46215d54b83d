// level: -O2
// expect: exits 1
// expect: statuses 0
// An optimiser shifts first and chooses later, so too large an amount is no bug in its code.
#include <klee/klee.h>
__attribute__((noinline)) static int shifted(int value, unsigned amount) { return amount >= 32 ? value : value >> amount; }
int main(void) {
  unsigned amount = klee_range(0, 40, "amount");
  klee_assert(shifted(48, amount) == (amount < 32 ? 48 >> (amount & 31) : 48));
  return 0;
}
