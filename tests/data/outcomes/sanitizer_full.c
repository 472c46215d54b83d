// A check of the undefined behaviour sanitizer for each input; what it reports, it goes on after.
// input: 1
// flags: -fsanitize=undefined,integer,nullability,float-divide-by-zero,implicit-conversion
// undefined: overflow ptr div invalid_load nullable_attribute implicit_truncation
// undefined: implicit_conversion function_type_mismatch overshift shift float_cast vla_bound
// report: Error: signed-integer-overflow
// report: Error: unsigned-integer-overflow
// report: Error: overshift error: shift exponent 40 is too large for 32-bit type 'int'
// report: Error: left shift of a negative number: left shift of negative value -1
// report: Error: float-cast-overflow
// report: Error: float-divide-by-zero
// report: Error: load invalid value
// report: Error: misaligned-pointer-use
// report: Error: nullptr-with-nonzero-offset
// report: Error: pointer-overflow
// report: Error: out-of-bounds-index
// report: Error: non-positive-vla-index
// report: Error: invalid-null-argument
// report: Error: invalid-null-return
// report: Error: implicit-signed-integer-truncation
// report: Error: implicit-unsigned-integer-truncation
// report: Error: implicit-integer-sign-change
// report: in main() at
#include "outcome.h"
#include <string.h>

static struct {
  int numbers[4], behind[4];
} row;
static union {
  char bytes[16];
  int words[4];
} raw;
__attribute__((returns_nonnull)) static char *same(char *p) { return p; }
__attribute__((nonnull)) static int is_there(char *p) { return p != 0; }
static int *_Nonnull same_too(int *p) { return p; }
static int is_there_too(int *_Nonnull p) { return p != 0; }

int main(void) {
  unsigned char in;
  volatile int big = 0x7fffffff, one = 1, zero = 0, least = -0x7fffffff - 1, many = 40, minus = -1;
  volatile int result = 0;
  volatile unsigned natural = 0;
  volatile double huge = 1e30, quotient = 0;
  take(&in, 1);
  switch (in) {
  case 0: result = big + one; return result < 0 ? 10 : 50;
  case 1: result = least - one; return result > 0 ? 11 : 51;
  case 2: result = big * 2; return result == -2 ? 12 : 52;
  case 3: result = -least; return result < 0 ? 13 : 53;
  case 4: result = one << many; return 14;
  case 5: result = minus << 1; return result == -2 ? 15 : 55;
  case 6: row.behind[0] = 7; result = row.numbers[one + 3]; return result == 7 ? 16 : 56;
  case 7: result = (int)huge; return 17;
  case 8: {
    volatile _Bool truth;
    memset((void *)&truth, 7, 1);
    return truth ? 18 : 58;
  }
  case 9: result = *(int *)(raw.bytes + one); return 19;
  case 10: return same(zero ? raw.bytes : 0) ? 60 : 20;
  case 11: return is_there(zero ? raw.bytes : 0) ? 61 : 21;
  case 12: natural = natural - 1; return natural == 0xffffffffu ? 22 : 62;
  case 13: {
    volatile unsigned char narrow = (unsigned)big;
    return narrow == 255 ? 23 : 63;
  }
  case 14: {
    volatile signed char narrow = many * 5;
    return narrow == -56 ? 24 : 64;
  }
  case 15: natural = minus; return natural == 0xffffffffu ? 25 : 65;
  case 16: quotient = huge / quotient; return quotient > huge ? 26 : 66;
  case 17: {
    char *p = raw.bytes;
    p += -1 - (long)p;
    return p == (char *)-1 ? 27 : 67;
  }
  case 18: return same_too(zero ? row.numbers : 0) ? 68 : 28;
  case 19: return is_there_too(zero ? row.numbers : 0) ? 69 : 29;
  case 20: {
    char none[zero];
    return sizeof none == 0 ? 30 : 70;
  }
  case 21: {
    char *p = 0;
    p = p + one;
    return p == (char *)1 ? 31 : 71;
  }
  default: return 1;
  }
}
