// SSE's control word: rounding, what was raised, what a program writes there.
#include <fenv.h>
#include <immintrin.h>

#include "show.h"

static volatile double one = 1, three = 3, zero = 0, huge = 1e308, tiny = 1e-308;
static volatile float small;
static volatile double result;

int main(void) {
  printf("%x\n", _mm_getcsr() & 0x6000), _mm_setcsr(0x1f80);
  printf("%x\n", _mm_getcsr()), result = one + one, printf("%x\n", _mm_getcsr() & 0x3f);
  _mm_setcsr(0x1f80), result = one / three;
  unsigned inexact = _mm_getcsr();
  _mm_setcsr(0x1f80), result = one / zero;
  unsigned divided = _mm_getcsr();
  _mm_setcsr(0x1f80), result = zero / zero;
  unsigned invalid = _mm_getcsr();
  _mm_setcsr(0x1f80), result = huge * huge;
  unsigned overflow = _mm_getcsr();
  _mm_setcsr(0x1f80), result = tiny * tiny;
  unsigned underflow = _mm_getcsr();
  printf("%x %x %x %x %x\n", inexact & 0x3d, divided & 0x3d, invalid & 0x3d, overflow & 0x3d, underflow & 0x3d);
  _mm_setcsr(0x1f80 | 0x2000), small = (float)(one / three), result = one / three;
  unsigned down = _mm_getcsr();
  printf("%x %a %a\n", down & 0x6000, small, result), _mm_setcsr(0x1f80 | 0x4000), result = one / three, printf("%a\n", result), _mm_setcsr(0x1f80 | 0x6000), result = -one / three, printf("%a\n", result);
  _mm_setcsr(0x1f85), printf("%x", _mm_getcsr() & 0x3f), printf(" %x\n", fetestexcept(FE_INVALID | FE_DIVBYZERO));
  _mm_setcsr(0x1f80), fesetround(FE_UPWARD), printf("%x\n", _mm_getcsr() & 0x6000);
  return 0;
}
