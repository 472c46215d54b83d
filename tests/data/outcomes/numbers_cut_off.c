// A double cut off by the x87 with its control word, rounded by SSE, rooted by both.
// input: 1
#include "outcome.h"

static int cut_off(double d) {
  unsigned short old, cutting;
  int result;
  __asm__ volatile("fnstcw %0" : "=m"(old));
  cutting = old | 0xc00;
  __asm__ volatile("fldcw %1\n\tfldl %2\n\tfistpl %0\n\tfldcw %3" : "=m"(result) : "m"(cutting), "m"(d), "m"(old));
  return result;
}
static long rounded(double d) {
  long result;
  __asm__("cvtsd2si %1, %0" : "=r"(result) : "x"(d));
  return result;
}

int main(void) {
  unsigned char in;
  long double root;
  double other;
  take(&in, 1);
  double d = (in - 128) / 4.0;
  if (cut_off(d) != (int)d) return 90;
  __asm__("fsqrt" : "=t"(root) : "0"((long double)in));
  __asm__("sqrtsd %1, %0" : "=x"(other) : "x"((double)in));
  if ((double)root - other > 1e-9 || other - (double)root > 1e-9) return 91;
  int whole = (int)root;
  return each(whole * 4 + (rounded(d) != cut_off(d)) + 2 * (rounded(d) < cut_off(d)));
}
