/* Products of so many bits that their code is a loop, and the quotients and differences that check them. */
#include "out.h"
typedef unsigned long word;

static word seed = 2463534242;
static word draw(void) {
  seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
  return seed;
}

#define TEST(N) \
  typedef unsigned _BitInt(N) u##N; \
  static __attribute__((noinline)) void put##N(u##N x) { \
    for (int i = 0; i < (N + 63) / 64; i++) out((word)(x >> (64 * i))); \
  } \
  static __attribute__((noinline)) u##N make##N(int shape) { \
    u##N x = 0; \
    for (int i = 0; i < (N + 63) / 64; i++) { \
      word w = draw(); \
      if (shape == 1) w |= draw() | draw() | draw(); \
      if (shape == 2) w = i < 3 ? w : 0; \
      if (shape == 3) w = ~0UL; \
      x |= (u##N)w << (64 * i); \
    } \
    return x; \
  } \
  static __attribute__((noinline)) u##N times##N(u##N x, u##N y) { return x * y; } \
  static void test##N(void) { \
    for (int i = 0; i < 6; i++) { \
      u##N x = make##N(i % 4), y = make##N(i / 2); \
      u##N product = times##N(x, y); \
      put##N(product); \
      out(times##N(x, y + 1) - product == x); \
      out(times##N(-x, y) + product == 0); \
    } \
    put##N(times##N(make##N(0), 0) | times##N(1, make##N(1))); \
  }

TEST(2049)
TEST(4160)

int test_main(void) {
  test2049();
  test4160();
  return 0;
}
