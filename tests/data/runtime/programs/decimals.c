// Decimal and hexadecimal numbers of all lengths read as float, double and long double, and remainders of random
// patterns: every bit is compared, in all four rounding modes.
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 42;
static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  uint64_t high = state >> 32;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return high << 32 | state >> 32;
}

static void hash(uint64_t *sum, const void *value, size_t size) {
  const unsigned char *byte = value;
  for (size_t i = 0; i < size; i++) *sum = (*sum ^ byte[i]) * 1099511628211u;
}

static void read_number(const char *text) {
  char *end;
  errno = 0;
  float f = strtof(text, &end);
  double d = strtod(text, 0);
  long double l = strtold(text, 0);
  uint64_t sum = 0;
  hash(&sum, &f, 4), hash(&sum, &d, 8), hash(&sum, &l, 10);
  printf("%s %lx %ld %d\n", text, sum, (long)(end - text), errno);
}

static const char *const texts[] = {
    "0", "-0", "1", "-1", "12", "123456789", "1234567890", "999999999999999", "9007199254740993", "0.1", "-0.1", ".5", "5.", "1.5", "3.14159",
    "0.3000", "000123.4500", "1e22", "1e23", "123e22", "1e-22", "7e-23", "9.5e21", "1e27", "1e28", "1e-27", "18446744073709551615", "18446744073709551616",
    "18446744073709551615e-27", "9999999999999999999e27", "16777217", "16777219", "33554435e1", "0.50000002980232238769531250", "1.00000005960464477539",
    "1.000000059604645", "8388609.5", "8388610.5", "83886095e-1", "1e308", "1.8e308", "-1.8e308", "4.9e-324", "2e-324", "1e-400", "3.4028235e38", "3.4028236e38",
    "7e-46", "1e4932", "1.2e4932", "3.6e-4951", "1e+", "1e", "1.e1", "e5", ".", "", "0x1p3", "0x.8p1", "0x1.fffffffffffff8p0",
    "0x1.0000010000000001p0", "0x1.000001p0", "0xabcdefabcdefp-60", "inf", "-infinity", "nan", "0e500", "0.000e-500", "123456789012345e22", "123456789012345e-22",
    "1234567890123456e-3", "000000000000000000000000000000001e-10", "0.0000000000000000000000000000000001e40", "179769313486231580793728971405301e276"};

int main(void) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) read_number(texts[i]);
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int round = 0; round < 1200; round++) {
    char text[64];
    int length = 0, digits = 1 + draw() % 22, point = draw() % (digits + 6);
    if (draw() % 3 == 0) text[length++] = '-';
    for (int i = 0; i < digits; i++) {
      if (i == point) text[length++] = '.';
      text[length++] = (char)('0' + (draw() % 4 ? draw() % 10 : 0));
    }
    text[length] = 0;
    if (draw() % 2) sprintf(text + length, "e%d", (int)(draw() % 70) - 35);
    fesetround(modes[round < 900 ? 0 : draw() % 4]);
    read_number(text);
  }
  fesetround(FE_TONEAREST);
  for (int round = 0; round < 2000; round++) {
    uint64_t a = draw(), b = draw();
    int kind = draw() % 6, near = (int)(draw() % 140) - 70;
    double x, y;
    if (kind < 3) b &= 0xfff0000000000000u;
    if (kind % 3 != 2) b = (b & 0x800fffffffffffffu) | ((a >> 52 & 0x7ff) + (uint64_t)near & 0x7ff) << 52;
    if (kind == 5 && round % 7 == 0) b = round % 2 ? 0 : 0x7ff0000000000000u;
    memcpy(&x, &a, 8), memcpy(&y, &b, 8);
    double r = fmod(x, y);
    float rf = fmodf((float)x, (float)y);
    long double lx = (long double)x * (1 + 0x1p-60L), ly = y, rl = fmodl(lx, ly);
    if (isnan(r)) r = 1;
    if (isnan(rf)) rf = 1;
    if (isnan(rl)) rl = 1;
    uint64_t sum = 0;
    hash(&sum, &r, 8), hash(&sum, &rf, 4), hash(&sum, &rl, 10);
    printf("%lx %lx %lx\n", a, b, sum);
  }
  static const long double wide[] = {0, -0.0L, 1, -1, 0x1p-16445L, 0x3p-16445L, 0x1p-16382L, 0x1.8p-16382L, -7.75L, 0x1p63L, 0x1p64L, 0x1.fffffffffffffffep16383L, 0x1p16383L, INFINITY, -INFINITY, NAN, 0.25L, 3};
  enum { COUNT = sizeof wide / sizeof *wide };
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      long double r = fmodl(wide[i], wide[j]);
      if (isnan(r)) printf(" nan");
      else printf(" %.20Lg", r);
    }
    printf("\n");
  }
  return 0;
}
