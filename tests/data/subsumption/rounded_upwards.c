/* Fails at lines 14 and 23: the rounding mode is another one on one of the paths. */
#include <fenv.h>
#include <klee/klee.h>

static unsigned char in[4];
static double one = 1, three = 3;

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  double nearest = one / three;
  if (in[0])
    fesetround(FE_UPWARD);
  if (in[1] && one / three > nearest)
    klee_abort();
  fesetround(FE_TONEAREST);
  if (in[0])
    return 0;
  if (!in[2])
    fesetround(FE_UPWARD);
  if (in[3]) {
    volatile double third = one / three;
    if (third > nearest)
      klee_abort();
  }
  return 0;
}
