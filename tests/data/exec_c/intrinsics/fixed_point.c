// flags: -ffixed-point
// Numbers with a fixed point, as clang has them.
#include "../out.h"
typedef short _Accum sa; typedef _Accum a; typedef long _Accum la;
typedef unsigned _Accum ua; typedef _Fract f; typedef short _Fract sf; typedef unsigned short _Fract usf;
typedef _Sat _Accum sat_a; typedef _Sat unsigned _Accum sat_ua; typedef _Sat _Fract sat_f; typedef _Sat short _Fract sat_sf;
static volatile int numbers[] = {0, 1, -1, 3, -7, 12345, -54321, 2147483647, -2147483647 - 1, 65536, -65536, 98304, 77};
static unsigned long bits_of(const void *place, unsigned size) {
  unsigned long value = 0;
  __builtin_memcpy(&value, place, size);
  return value;
}
#define PUT(type, value) do { type result = (value); out(bits_of(&result, sizeof result)); } while (0)
#define OF(type, name, number) type name; { int source = (number); __builtin_memcpy(&name, &source, sizeof name < 4 ? sizeof name : 4); }
#define BOTH(type, wide) do { \
    OF(type, x, numbers[i]) OF(type, y, numbers[j]) \
    PUT(type, x + y); PUT(type, x - y); out(x < y); out(x == y); PUT(int, (int)x); \
    PUT(type, x * y); if (bits_of(&y, sizeof y)) PUT(wide, x / y); \
  } while (0)
int test_main(void) {
  unsigned n = sizeof numbers / sizeof *numbers;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      BOTH(sat_a, sat_a); BOTH(sat_ua, sat_ua); BOTH(sat_f, sat_f); BOTH(sat_sf, sat_sf);
      OF(sa, s, numbers[i] & 0xfff) OF(sa, t, (numbers[j] & 0x7ff) | 1)
      PUT(sa, s * t); PUT(sa, s / t);
      OF(usf, u, numbers[i]) OF(usf, v, numbers[j])
      PUT(usf, u * v);
    }
  return 0;
}
