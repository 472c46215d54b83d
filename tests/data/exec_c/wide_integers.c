/* Integers of more than 128 bits: every operator at widths around multiples of 64, on numbers of many shapes. */
#include "out.h"
typedef unsigned long word;
typedef __int128 wide128;
typedef unsigned __int128 plain128;

static word seed = 88172645463325252UL;
static word draw(void) {
  seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
  return seed;
}

#define NOINLINE __attribute__((noinline))

union number { double d; float f; long double l; word words[2]; };
static NOINLINE void put_double(double d) { union number n = {0}; n.d = d; out(n.words[0]); }
static NOINLINE void put_float(float f) { union number n = {0}; n.f = f; out(n.words[0]); }
static NOINLINE void put_extended(long double l) { union number n = {0}; n.l = l; out(n.words[0]); out(n.words[1] & 0xffff); }

#define TEST(N) \
  typedef unsigned _BitInt(N) u##N; \
  typedef _BitInt(N) s##N; \
  static NOINLINE void put##N(u##N x) { \
    for (int i = 0; i < (N + 63) / 64; i++) out((word)(x >> (64 * i))); \
  } \
  /* Random words, few ones, few zeros, small, small negative: what carries and compares in different ways. */ \
  static NOINLINE u##N make##N(int shape) { \
    u##N x = 0; \
    for (int i = 0; i < (N + 63) / 64; i++) { \
      word w = draw(); \
      if (shape == 1) w &= draw() & draw() & draw(); \
      if (shape == 2) w |= draw() | draw() | draw(); \
      if (shape == 3) w = i ? 0 : w & 0xff; \
      if (shape == 4) w = i ? ~0UL : w | ~0xffUL; \
      x |= (u##N)w << (64 * i); \
    } \
    return x; \
  } \
  static NOINLINE s##N shifts##N(u##N x, unsigned n) { \
    put##N(x << n); put##N(x >> n); \
    return (s##N)x >> n; \
  } \
  static NOINLINE int order##N(s##N x, s##N y) { \
    u##N a = x, b = y; \
    return (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (a < b) << 6 | \
           (a <= b) << 7 | (a > b) << 8 | (a >= b) << 9 | !x << 10 | (x < 0) << 11; \
  } \
  static NOINLINE int pick##N(u##N x) { \
    switch (x) { \
      case 0: return 1; \
      case 7: return 2; \
      case (u##N)1 << (N - 1): return 3; \
      case ((u##N)5 << 100) + 3: return 4; \
      case (u##N)-1: return 5; \
      default: return 6; \
    } \
  } \
  static NOINLINE void bits##N(u##N x, unsigned n) { \
    out(__builtin_popcountg(x)); out(__builtin_clzg(x, N)); out(__builtin_ctzg(x, N)); \
    n = n % (N - 1) + 1; \
    put##N(x << n | x >> (N - n)); put##N(x << 17 | x >> (N - 17)); \
  } \
  static NOINLINE void limits##N(s##N x, s##N y) { \
    u##N a = x, b = y, c; s##N z; \
    put##N(x < y ? x : y); put##N(a > b ? a : b); put##N(x < 0 ? -x : x); \
    out(__builtin_add_overflow(a, b, &c)); put##N(c); out(__builtin_sub_overflow(a, b, &c)); put##N(c); \
    out(__builtin_add_overflow(x, y, &z)); put##N(z); out(__builtin_sub_overflow(x, y, &z)); put##N(z); \
    put##N(a + b < a ? (u##N)-1 : a + b); put##N(a < b ? 0 : a - b); \
  } \
  static NOINLINE void casts##N(u##N x, s##N y) { \
    out((word)x); out((int)y); out((signed char)y); out((word)((wide128)y >> 64)); out((word)((unsigned _BitInt(100))y >> 50)); \
    out((_Bool)x); put##N((s##N)(signed char)y); put##N((u##N)(unsigned)y); put##N((s##N)(wide128)y); \
    put##N((plain128)y); put##N((s##N)(_BitInt(N - 3))y); put##N((s##N)(_BitInt(70))y); \
    _BitInt(N + 61) more = y; unsigned _BitInt(N + 61) plain = x; \
    out((word)(more >> (N - 3))); out((word)(plain >> (N - 3))); out((word)(more >> 64)); \
  } \
  static struct { char before; u##N x; s##N y[3]; char after; } memory##N = {1, 5, {-1, (s##N)3 << 127, 9}, 2}; \
  static NOINLINE void stores##N(u##N x, int i) { \
    put##N(memory##N.x); put##N(memory##N.y[0]); put##N(memory##N.y[1]); \
    memory##N.x ^= x; memory##N.y[i] -= x; memory##N.y[(i + 1) % 3] = memory##N.x; \
    volatile u##N kept = x; kept += 3; memory##N.y[i]++; \
    put##N(kept); put##N(memory##N.y[i]); out(memory##N.before + memory##N.after); \
  } \
  /* LLVM's own conversions are wrong for numbers beyond the format, and to x87 for those with the highest bit. */ \
  static NOINLINE void floats##N(u##N x, s##N y, int i) { \
    put_double(x); put_double(y); put_double(-y); put_extended(x >> 1); put_extended(y / 3); \
    put_float(x >> (N - 120)); put_float(y >> (N - 100)); put_double(y >> (N - 30)); put_double(x >> (N - 53)); \
    put_double((x | (u##N)1 << (N - 1)) >> i); put_float((x | (u##N)1 << (N - 1)) >> (N - 100 + i)); \
    double d = (double)(long)(word)x; float f = (float)(int)y; \
    put##N((u##N)(d < 0 ? -d : d)); put##N((s##N)d); put##N((s##N)f); put##N((s##N)(d / 3e18)); put##N((s##N)(d * 0x1p60)); put##N((s##N)(f * 0x1p90f)); \
    put##N((s##N)((long double)d * 0x1p55L / 3)); put##N((s##N)(d * 1e-30)); put##N((u##N)0.75); put##N((u##N)(f * 0.0f)); put##N((s##N)-1.5L); \
  } \
  static NOINLINE void test##N(void) { \
    for (int i = 0; i < 25; i++) { \
      u##N x = make##N(i % 5), y = make##N(i / 5); \
      s##N sx = x, sy = y; \
      put##N(x + y); put##N(x - y); put##N(x & y); put##N(x | y); put##N(x ^ y); put##N(~x); put##N(-x); \
      put##N(x * y); \
      put##N(x / (y | 1)); put##N(x % (y | 1)); put##N(sx / (sy | 1)); put##N(sx % (sy | 1)); \
      put##N(x / 10); put##N(sx / -7); put##N(sx % 1000); \
      put##N(shifts##N(x, (unsigned)(y >> 3) % N)); put##N(shifts##N(x, i * 64 % N)); \
      put##N(x << 3); put##N(x >> 64); put##N(sx >> (N - 1)); put##N(sx >> 65); put##N(x << 128); \
      out(order##N(sx, sy)); out(order##N(sx, sx)); out(order##N(sx, sx + 1)); out(order##N(sx, 0)); out(order##N(sx, sx ^ ((s##N)1 << 70))); \
      bits##N(x, (unsigned)y); limits##N(sx, sy); casts##N(x, sy); stores##N(x, i % 3); floats##N(x, sy, i); \
      out(pick##N(x)); \
    } \
    out(pick##N(0)); out(pick##N(7)); out(pick##N((u##N)1 << (N - 1))); out(pick##N(((u##N)5 << 100) + 3)); out(pick##N((u##N)-1)); \
    bits##N(0, 5); floats##N(0, 0, 1); limits##N((s##N)((u##N)1 << (N - 1)), -1); \
  }

#ifdef FEW
TEST(256)
#else
TEST(129)
TEST(136)
TEST(192)
TEST(256)
TEST(333)
TEST(512)
#endif

int test_main(void) {
#ifndef FEW
  test129(); test136(); test192(); test333(); test512();
#endif
  test256();
  return 0;
}
