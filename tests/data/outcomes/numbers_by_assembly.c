// What libraries for long numbers write in assembly: wide products and quotients, carries through words, leading zeros.
// input: 2
// alphabet: 00 01 02 7f 80 fe ff
#include "outcome.h"
#include <stdint.h>

#define MULTIPLY(high, low, a, b) __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"((uint64_t)(a)), "rm"((uint64_t)(b)) : "cc")
#define ADD(high, low, ah, al, bh, bl)                                                             \
  __asm__("addq %5,%q1\n\tadcq %3,%q0"                                                             \
          : "=r"(high), "=&r"(low)                                                                 \
          : "0"((uint64_t)(ah)), "rme"((uint64_t)(bh)), "%1"((uint64_t)(al)), "rme"((uint64_t)(bl)) \
          : "cc")
#define DIVIDE(quotient, rest, high, low, by)                                                      \
  __asm__("divq %4" : "=a"(quotient), "=d"(rest) : "0"((uint64_t)(low)), "1"((uint64_t)(high)), "rm"((uint64_t)(by)) : "cc")

static unsigned leading(uint64_t value) {
  uint64_t place;
  __asm__("bsrq\t%1,%0" : "=r"(place) : "rm"(value) : "cc");
  return (unsigned)(63 ^ place);
}
/* The sum of long numbers, with what is carried kept in the flags over the turns. */
static uint64_t add_words(uint64_t *to, const uint64_t *from, unsigned long count) {
  uint64_t carry, word;
  __asm__ volatile("clc\n\tjrcxz 2f\n\tsbbq %0, %0\n1:\taddq %0, %0\n\tmovq (%4), %1\n\tadcq %1, (%3)\n\tsbbq %0, %0\n\t"
                   "leaq 8(%3), %3\n\tleaq 8(%4), %4\n\tdecq %2\n\tjnz 1b\n\tjmp 3f\n2:\txorl %k0, %k0\n3:"
                   : "=&r"(carry), "=&r"(word), "+c"(count), "+r"(to), "+r"(from)::"cc", "memory");
  return -carry;
}
static uint32_t mixed(uint32_t value, unsigned char by) {
  __asm__("roll %%cl, %0\n\tbswapl %0\n\txorl %2, %0" : "+r"(value) : "c"(by), "i"(0x5bd1e995) : "cc");
  return value;
}
static int saturated(int a, int b) {
  int sum = a, limit = 0x7fffffff;
  __asm__("addl %2, %0\n\tcmovol %1, %0" : "+r"(sum) : "r"(limit), "r"(b) : "cc");
  return sum;
}

int main(void) {
  unsigned char in[2];
  uint64_t high, low, quotient, rest;
  take(in, 2);
  /* Each its own path: products of unknown numbers are hard. */
  in[0] = (unsigned char)(each(in[0] & 7) * 36), in[1] = (unsigned char)(each(in[1] & 7) * 36);
  uint64_t a = (uint64_t)in[0] << 56 | 0x123456789abcde, b = (uint64_t)in[1] << 48 | 0xfedcba987654;
  MULTIPLY(high, low, a, b);
  __uint128_t whole = (__uint128_t)a * b;
  if (high != (uint64_t)(whole >> 64) || low != (uint64_t)whole) return 90;
  if (high < b) {
    DIVIDE(quotient, rest, high, low, b);
    if (quotient != a || rest) return 91;
  }
  ADD(high, low, in[0], ~(uint64_t)0, in[1], 1);
  if (low != 0 || high != (uint64_t)in[0] + in[1] + 1) return 92;
  uint64_t words[3] = {~(uint64_t)0, in[0] ? ~(uint64_t)0 : 5, (uint64_t)in[1] << 56}, one[3] = {1, 0, (uint64_t)0x80 << 56};
  uint64_t carry = add_words(words, one, 3);
  if (words[0] != 0 || add_words(words, one, 0)) return 93;
  if (mixed(0x80000001u, 1) != (0x03000000u ^ 0x5bd1e995u)) return 94;
  if (saturated(0x7fffff00, in[0]) != (int)(0x7fffff00u + in[0])) return 95;
  if (in[0] > 15 && saturated(0x7ffffff0, in[0]) != 0x7fffffff) return 96;
  return each((int)(10 * carry + (words[2] >> 56 == 0) + (words[1] == 0) * 2 + (a ? leading(a) / 2 : 0)));
}
