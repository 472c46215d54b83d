// The least number divided by minus one in each width: the processor traps from 32 bits on.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07 80 ff 7f fe
#include "outcome.h"
#include <limits.h>
#include <stdint.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  signed char small = in[1] & 128 ? SCHAR_MIN + (in[1] & 1) : in[1];
  signed char by = (signed char)in[2];
  if (by == 0) return 9;
  switch (in[0]) {
  case 0: return each((signed char)(small / by) == SCHAR_MIN);
  case 1: return each(10 + ((signed char)(small % by) == 0));
  case 2: {
    short left = SHRT_MIN + (in[1] & 1);
    return each(20 + ((short)(left / by) == SHRT_MIN));
  }
  case 3: return each(30 + ((INT_MIN + (in[1] & 1)) / by == INT_MAX));
  case 4: return each(40 + ((LONG_MIN + (in[1] & 1)) % by == 0));
  case 5: return each(50 + ((long)(INT_MIN + (in[1] & 1)) / by > 0));
  case 6: {
    __int128 least = (__int128)1 << 126;
    least = -least - least + (in[1] & 1);
    return each(60 + (least / by > 0));
  }
  default: return each(70 + (0x80000000u / (unsigned)by == 1));
  }
}
