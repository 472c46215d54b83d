// level: -O2
// expect: exits 3
// expect: statuses 0 1 2
// An optimiser shifts first and chooses later, so too large an amount is no bug in its code.
#include <klee/klee.h>
__attribute__((noinline)) static int shifted(int value, unsigned amount) { return amount >= 32 ? value : value >> amount; }
int main(void) {
  unsigned amount = klee_range(0, 40, "amount");
  int value = shifted(48, amount);
  if (value == 0) return 0;
  if (value == 48) return 1;
  return 2;
}
