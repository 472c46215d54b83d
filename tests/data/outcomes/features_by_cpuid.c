// Implementations chosen by what the processor says it can, which all do the same.
// input: 2
// alphabet: 00 01 02 03 0f f0 ff
#include "outcome.h"
#include <cpuid.h>

static unsigned count_by_table(unsigned value) {
  static const unsigned char of[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  unsigned count = 0;
  for (; value; value >>= 4) count += of[value & 15];
  return count;
}
static unsigned count_by_processor(unsigned value) {
  unsigned count;
  __asm__("popcntl %1, %0" : "=r"(count) : "r"(value) : "cc");
  return count;
}
static unsigned zeros_by_scan(unsigned value) {
  unsigned place;
  __asm__("bsfl %1, %0\n\tcmovzl %2, %0" : "=&r"(place) : "rm"(value), "r"(32) : "cc");
  return place;
}
static int enabled(void) {
  unsigned low, high;
  __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
}
static int is_available(unsigned *a, unsigned *b, unsigned *c, unsigned *d) {
  if (__get_cpuid_max(0, 0) < 1) return 0;
  __asm__ volatile("xchgq %%rbx, %q1\n\tcpuid\n\txchgq %%rbx, %q1" : "=a"(*a), "=&r"(*b), "=c"(*c), "=d"(*d) : "0"(1), "2"(0));
  return (*c >> 23 & 1) != 0;
}

int main(void) {
  unsigned char in[2];
  unsigned a, b, c = 0, d;
  unsigned (*count)(unsigned) = count_by_table;
  take(in, 2);
  unsigned value = in[0] | in[1] << 8;
  if (is_available(&a, &b, &c, &d)) count = count_by_processor;
  /* Asked for only where the system has said that it may be. */
  int wide = c & 1u << 27 ? enabled() : 0;
  if (wide > 1 || count(value) != count_by_processor(value)) return 90;
  if (__builtin_cpu_supports("popcnt") && count(3) != 2) return 91;
  unsigned zeros = zeros_by_scan(value);
  if (value ? zeros != (unsigned)__builtin_ctz(value) : zeros != 32) return 92;
  return count(value) > 8 ? 1 : zeros > 8 ? 2 : zeros == 0 ? 3 : 4;
}
