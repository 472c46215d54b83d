// A number that the runtime needs as one value is a path for each of its values, of either sign, if they are few; of many
// it is one, or stays what it is.
// expect: exits 15
// expect: statuses 1 2 3 4 5 6 7 10 11 12 20 21 22 23 30
// level: -O0
#include <homi/engine.h>
#include <klee/klee.h>
int main(void) {
  int kind = klee_range(0, 4, "kind"), x = klee_int("x");
  if (kind == 0) {
    klee_assume((x >= -3) & (x <= 3));
    return (int)homi_concretize((unsigned long)(long)x) + 4;
  }
  if (kind == 1) {
    klee_assume((x == 5) | (x == 77) | (x == 250));
    unsigned long value = homi_each_value((unsigned long)x);
    return value == 5 ? 10 : value == 77 ? 11 : 12;
  }
  if (kind == 2) {
    // Bytes of few values each, wherever they are.
    unsigned value = ((unsigned)x & 3) << 24;
    return 20 + (int)(homi_concretize(value) >> 24);
  }
  if (!klee_is_symbolic(homi_each_value((unsigned long)x))) return 32;
  return klee_is_symbolic(homi_concretize((unsigned long)x)) ? 33 : 30;
}
