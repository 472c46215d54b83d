#include "out.h"
#define OPS(T, U)                                                              \
  static void ops_##U(T a, T b) {                                              \
    out((unsigned long)(T)(a + b));                                            \
    out((unsigned long)(T)(a - b));                                            \
    out((unsigned long)(T)(a * b));                                            \
    if (b != 0 && b != (T)-1) {                                                \
      out((unsigned long)(T)(a / b));                                          \
      out((unsigned long)(T)(a % b));                                          \
    }                                                                          \
    out((unsigned long)(T)(a & b));                                            \
    out((unsigned long)(T)(a | b));                                            \
    out((unsigned long)(T)(a ^ b));                                            \
    out((unsigned long)(T)(a << 3));                                           \
    out((unsigned long)(T)(a >> 5));                                           \
    out(a < b);                                                                \
    out(a >= b);                                                               \
    out(a == b);                                                               \
    out((unsigned long)(T)~a);                                                 \
    out((unsigned long)(T)-a);                                                 \
    out((unsigned long)(signed char)a);                                        \
    out((unsigned long)(short)a);                                              \
    out((unsigned long)(unsigned)a);                                           \
  }
OPS(signed char, i8)
OPS(unsigned char, u8)
OPS(short, i16)
OPS(unsigned short, u16)
OPS(int, i32)
OPS(unsigned, u32)
OPS(long, i64)
OPS(unsigned long, u64)
typedef __int128 i128;
typedef unsigned __int128 u128;
static void out128(u128 v) {
  out((unsigned long)v);
  out((unsigned long)(v >> 64));
}
static void ops_128(i128 a, i128 b) {
  out128(a + b);
  out128(a - b);
  out128(a * b);
  out128((u128)a >> 3);
  out128(a >> 65);
  out128(a << 70);
  out128(a & b);
  out128(~a ^ b);
  out(a < b);
  out((u128)a < (u128)b);
  out(a == b);
  if (b) {
    out128(a / b);
    out128(a % b);
    out128((u128)a / (u128)b);
    out128((u128)a % (u128)b);
  }
}
static unsigned long values[] = {0, 1, 2, 3, 7, 100, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
  0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
  0xfffffffffffffffe, 0xffffffffffffffff, 0x123456789abcdef0};
static unsigned long a_of(unsigned long i) { return i * 0x9e3779b97f4a7c15ul ^ i << 60; }
/* What libraries for large numbers write. */
static void wide(unsigned long ah, unsigned long al, unsigned long bh, unsigned long bl) {
  unsigned long low, high, one;
  unsigned low32, high32;
  __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"(al), "rm"(bl));
  out(low); out(high);
  __asm__("mull %3" : "=a"(low32), "=d"(high32) : "a"((unsigned)al), "r"((unsigned)bl) : "cc");
  out(low32); out(high32);
  __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(high), "=&r"(low) : "0"(ah), "rme"(bh), "%1"(al), "rme"(bl));
  out(low); out(high);
  __asm__("subq %5,%q1\n\tsbbq %3,%q0" : "=r"(high), "=&r"(low) : "0"(ah), "rme"(bh), "1"(al), "rme"(bl));
  out(low); out(high);
  __asm__("bsrq %1,%q0" : "=r"(one) : "rm"(al | 1));
  out(one);
  __asm__("bsrl %1, %0" : "=r"(low32) : "r"((unsigned)bl | 1));
  out(low32);
}
int test_main(void) {
  unsigned n = sizeof values / sizeof *values;
  for (unsigned i = 0; i < n; i++) {
    unsigned long a = values[i], b = values[(i * 7 + 3) % n];
    /* signed operations stay away from overflow by using small operands */
    ops_i8((signed char)(a % 11), (signed char)(b % 7));
    ops_u8((unsigned char)a, (unsigned char)b);
    ops_i16((short)(a % 101) - 50, (short)(b % 57) - 20);
    ops_u16((unsigned short)a, (unsigned short)b);
    ops_i32((int)(a % 10007) - 5000, (int)(b % 997) - 300);
    ops_u32((unsigned)a, (unsigned)b);
    ops_i64((long)(a % 1000003) - 500000, (long)(b % 10007) - 3000);
    ops_u64(a, b);
    ops_128(((i128)(a % 1000003) << 40) - (i128)b, (i128)(b % 99991) - 40000);
    out(__builtin_popcountl(a));
    out(a ? __builtin_clzl(a) : 64);
    out(a ? __builtin_ctzl(a) : 64);
    out(__builtin_bswap64(a));
    out(__builtin_bswap32((unsigned)a));
    out(__builtin_bswap16((unsigned short)a));
    unsigned long r;
    out(__builtin_add_overflow(a, b, &r)); out(r);
    out(__builtin_mul_overflow(a, b, &r)); out(r);
    out(__builtin_sub_overflow(a, b, &r)); out(r);
    int s;
    out(__builtin_add_overflow((int)a, (int)b, &s)); out(s);
    out(__builtin_mul_overflow((int)a, (int)b, &s)); out(s);
    long sl;
    out(__builtin_mul_overflow((long)a, (long)b, &sl)); out(sl);
    out((a << (b & 63)) | (a >> ((64 - (b & 63)) & 63)));
    _Bool flag = a; out(flag);
  }
  wide(a_of(1), a_of(2), a_of(3), a_of(4));
  wide(~0ul, ~0ul, 1, ~0ul);
  wide(0, 0, 0, 1);
  return 42;
}
