/* Integers of all widths, those of _BitInt too, with the overflow builtins, shifts, divisions, conversions from and to floats. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static unsigned long seed = 42;
static unsigned long next(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }
static void show(unsigned __int128 v) { printf(" %lx:%lx", (unsigned long)(v >> 64), (unsigned long)v); }
static unsigned __int128 sample(int round) {
  static const long e[] = {0, 1, -1, 2, -2, 0x7fffffffffffffff, -0x7fffffffffffffff - 1};
  if (round < 20) return (__int128)e[next() % 7] << (next() % 3 * 32) | (unsigned long)(next() % 2);
  return (unsigned __int128)next() << 64 | next();
}
#define WIDTH(n) static __attribute__((noinline)) void signed_##n(unsigned __int128 x, unsigned __int128 y) { \
  typedef _BitInt(n) S; typedef unsigned _BitInt(n) U; S a = (S)x, b = (S)y, r; U u = (U)x, v = (U)y, w; \
  printf(#n); show((__int128)__builtin_popcountll((unsigned long)u)); \
  r = (S)((U)a + (U)b); show((__int128)r); r = (S)((U)a - (U)b); show((__int128)r); r = (S)((U)a * (U)b); show((__int128)r); \
  w = v ? u / v : 0; show(w); w = v ? u % v : 0; show(w); if (b != 0 && b != -1) { show((__int128)(a / b)); show((__int128)(a % b)); } \
  int s = (int)(x % n); w = u << s; show(w); w = u >> s; show(w); r = a >> s; show((__int128)r); \
  printf(" %d%d%d%d", a < b, u < v, a == b, a <= b); \
  double d = (double)a, e = (double)u; printf(" %a %a", d, e); float f = (float)a; printf(" %a", f); long double l = (long double)u; printf(" %La\n", l); \
  w = (U)(a ^ b) & ~u | v; show(w); S c = a; c++; c -= b; show((__int128)c); show((unsigned __int128)(U)(_BitInt(n / 2 + 1))a); printf("\n"); }
WIDTH(2) WIDTH(7) WIDTH(8) WIDTH(13) WIDTH(17) WIDTH(24) WIDTH(31) WIDTH(33) WIDTH(48) WIDTH(63) WIDTH(64) WIDTH(65) WIDTH(96) WIDTH(127) WIDTH(128)
#define OVERFLOW(type, name) do { type a = (type)x, b = (type)y, r; int o = __builtin_add_overflow(a, b, &r); printf(#name " %d", o); show((unsigned __int128)r); \
  o = __builtin_sub_overflow(a, b, &r); printf(" %d", o); show((unsigned __int128)r); o = __builtin_mul_overflow(a, b, &r); printf(" %d", o); show((unsigned __int128)r); printf("\n"); } while (0)
#define MIXED(t1, t2, t3) do { t1 a = (t1)x; t2 b = (t2)y; t3 r; int o = __builtin_add_overflow(a, b, &r); printf("%d", o); show((unsigned __int128)r); \
  o = __builtin_sub_overflow(a, b, &r); printf(" %d", o); show((unsigned __int128)r); o = __builtin_mul_overflow(a, b, &r); printf(" %d", o); show((unsigned __int128)r); printf("\n"); } while (0)
static void overflows(unsigned __int128 x, unsigned __int128 y) {
  OVERFLOW(int8_t, i8); OVERFLOW(uint8_t, u8); OVERFLOW(int16_t, i16); OVERFLOW(uint16_t, u16); OVERFLOW(int, i32); OVERFLOW(unsigned, u32); OVERFLOW(long, i64); OVERFLOW(unsigned long, u64); OVERFLOW(__int128, i128); OVERFLOW(unsigned __int128, u128);
  /* clang computes these in a width that holds both: i65 and others */
  MIXED(long, unsigned long, long); MIXED(unsigned long, long, unsigned long); MIXED(int, unsigned, int); MIXED(unsigned, int, unsigned); MIXED(unsigned long, unsigned long, int); MIXED(long, int, unsigned char); MIXED(_Bool, int, _Bool); MIXED(__int128, unsigned long, long);
}
static void one_bit(void) {
  struct { signed s : 1; unsigned u : 1; } bits = {0};
  for (int i = 0; i < 4; i++) { bits.s = i & 1; bits.u += i; printf("%d%u ", bits.s, bits.u); }
  _Bool p = next() & 1, q = next() & 1; printf("%d%d%d%d%d\n", p & q, p | q, p ^ q, p + q, -p);
}
static void builtins(unsigned long v) {
  printf("%d %d %d %d %lx %x %x", __builtin_popcountl(v), v ? __builtin_ctzl(v) : -1, v ? __builtin_clzl(v) : -1, __builtin_parityl(v), __builtin_bswap64(v), __builtin_bswap32((unsigned)v), __builtin_bswap16((unsigned short)v));
  printf(" %d %d %d %lx %x %x\n", __builtin_ffsl((long)v), __builtin_clrsb((int)v), __builtin_clrsbl((long)v), __builtin_bitreverse64(v), __builtin_bitreverse8((unsigned char)v), __builtin_rotateleft32((unsigned)v, (unsigned)v >> 7));
  unsigned long c; printf("%lx ", __builtin_addcl(v, ~v, 1, &c)); printf("%lu ", c); printf("%lx ", __builtin_subcl(v, 5, 1, &c)); printf("%lu %x %lx\n", c, __builtin_rotateright8((unsigned char)v, 3), __builtin_rotateright64(v, 77));
}
int main(void) {
  for (int round = 0; round < 60; round++) {
    unsigned __int128 x = sample(round), y = sample(round);
    signed_2(x, y), signed_7(x, y), signed_8(x, y), signed_13(x, y), signed_17(x, y), signed_24(x, y), signed_31(x, y), signed_33(x, y), signed_48(x, y), signed_63(x, y), signed_64(x, y), signed_65(x, y), signed_96(x, y), signed_127(x, y), signed_128(x, y);
    overflows(x, y), one_bit(), builtins((unsigned long)x);
  }
  return 0;
}
