// Division instructions of the processor: a quotient that does not fit traps as zero does.
// input: 4
// alphabet: 00 01 02 80 ff 7f
#include "outcome.h"
#include <stdint.h>

int main(void) {
  unsigned char in[4];
  take(in, sizeof in);
  if (in[0] & 1) {
    int32_t low = in[1] ? (int32_t)in[1] : INT32_MIN, high = in[1] ? 0 : -1, by = (int8_t)in[2];
    __asm__("idivl %2" : "+a"(low), "+d"(high) : "r"(by) : "cc");
    return each((low & 15) + 16 * (high != 0));
  }
  if (in[0] & 2) {
    uint32_t low = in[1], high = in[3], by = in[2];
    __asm__("divl %2" : "+a"(low), "+d"(high) : "r"(by) : "cc");
    return each(40 + (low & 3));
  }
  if (in[0] & 4) {
    int64_t low = in[1] == 1 ? INT64_MIN : in[1], high = in[1] == 1 ? -1 : 0, by = (int8_t)in[2];
    __asm__("idivq %2" : "+a"(low), "+d"(high) : "r"(by) : "cc");
    return each(50 + (low & 3));
  }
  /* The upper half is not zero: the quotient does not fit unless the divisor is larger. */
  uint64_t low = in[1], high = in[2], by = in[3];
  __asm__("divq %2" : "+a"(low), "+d"(high) : "r"(by) : "cc");
  return each(60 + (high & 3));
}
