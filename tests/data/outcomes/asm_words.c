// Bit strings in memory, overflows of products, pairs of words exchanged, what is pushed and popped.
// input: 2
// alphabet: 00 01 02 03 0f 10 3f 40 7f 80 ff
#include "outcome.h"
#include <stdint.h>

static int test_and_set(unsigned long *bits, long number) {
  unsigned char was;
  __asm__ volatile("lock btsq %2, %1\n\tsetc %0" : "=q"(was), "+m"(*bits) : "r"(number) : "memory", "cc");
  return was;
}
static int test_bit(const unsigned *bits, int number) {
  int all;
  __asm__ volatile("btl %2, %1\n\tsbbl %0, %0" : "=r"(all) : "m"(*bits), "r"(number) : "memory", "cc");
  return -all;
}
static int product(short a, short b, short *to) {
  unsigned char over;
  __asm__("imulw %3, %0\n\tseto %1" : "=r"(*to), "=q"(over) : "0"(a), "r"(b) : "cc");
  return over;
}
struct pair {
  uint64_t low, high;
} __attribute__((aligned(16)));
static int exchange(struct pair *at, struct pair old, struct pair new) {
  unsigned char same;
  __asm__ volatile("lock cmpxchg16b %1\n\tsetz %0" : "=q"(same), "+m"(*at), "+a"(old.low), "+d"(old.high)
                   : "b"(new.low), "c"(new.high) : "memory", "cc");
  return same;
}
static unsigned flags_of_sum(unsigned char a, unsigned char b) {
  unsigned long flags;
  __asm__ volatile("addb %2, %1\n\tpushfq\n\tpopq %0" : "=r"(flags), "+q"(a) : "q"(b) : "cc");
  return flags & 0x8c1;
}
static unsigned leaf(unsigned which) {
  unsigned a = which, d;
  __asm__ volatile("pushq %%rbx\n\tcpuid\n\tpopq %%rbx" : "+a"(a), "=d"(d)::"ecx", "cc");
  return a | d;
}
static long wide(int value) {
  long result;
  __asm__("cltq" : "=a"(result) : "a"(value));
  return result;
}

int main(void) {
  unsigned char in[2];
  unsigned long bits[4] = {0};
  struct pair pair = {1, 2}, next = {5, 6}, first = {1, 2};
  take(in, 2);
  (void)leaf(0);
  if (test_and_set(bits + 1, in[0] - 64L)) return 90;
  if (!test_and_set(bits, in[0])) return 91;
  if (!test_bit((unsigned *)bits + 4, in[0] - 128)) return 92;
  if (wide(-in[1]) != -(long)in[1]) return 93;
  if (!exchange(&pair, first, next) || exchange(&pair, first, next) || pair.low != 5 || pair.high != 6) return 94;
  short result;
  if (product((short)(in[0] << 4), (short)(in[1] << 2), &result)) return bits[3] ? 10 : 11;
  unsigned flags = flags_of_sum(in[0], in[1]);
  switch (flags) {
  case 0: return 20;
  case 1: return 21;
  case 0x40: return 22;
  case 0x41: return 23;
  case 0x80: return 24;
  case 0x81: return 25;
  case 0x880: return 26;
  case 0x801: return 27;
  case 0x841: return 28;
  }
  return 95;
}
