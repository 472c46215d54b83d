// Which of several NaNs an operation gives: with x87 the one with the larger significand, of a fused multiplication the
// second factor.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(long double value) {
  uint64_t digits;
  uint16_t exponent;
  memcpy(&digits, &value, 8);
  memcpy(&exponent, (char *)&value + 8, 2);
  printf("%x %jx\n", exponent, (uintmax_t)digits);
}

int main(void) {
  static const char *const payloads[] = {"1", "2", "0x123"};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      volatile double a = nan(payloads[i]), b = -nan(payloads[j]), one = 1, infinite = INFINITY, zero = 0;
      volatile long double wide = nanl(payloads[i]), other = -nanl(payloads[j]);
      show(wide + other), show(wide * other), show(other / wide), show(wide - other);
      show(remainderl(wide, other)), show(nexttoward(a, other)), show(atan2l(wide, other));
      show(fma(a, b, one)), show(fma(one, a, b)), show(fma(a, one, b)), show(fma(zero, infinite, b));
      show(remainder(a, b)), show(fmaf(a, b, 1));
    }
  return 0;
}
