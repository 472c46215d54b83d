// Digits of numbers without a point, for counts of digits of every kind.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double values[] = {0.0, -0.0, 1.5, -2.25, 123.456, 1e-3, 9.996, 1e20, 1e-7, 0.1, 5e-324, 1.7976931348623157e308, INFINITY, NAN, 0.99999,
  99.5, 95, 1e15};
static const int counts[] = {-400, -2, -1, 0, 1, 2, 5, 15, 16, 17, 18, 30};
enum { VALUES = sizeof values / sizeof *values, COUNTS = sizeof counts / sizeof *counts };

int main(void) {
  char text[400];
  for (int i = 0; i < VALUES * COUNTS; i++) {
    double value = values[i / COUNTS];
    int count = counts[i % COUNTS], point = -99, sign = -99;
    printf("%g %d:", value, count);
    printf(" [%s]", ecvt(value, count, &point, &sign)), printf(" %d %d", point, sign);
    printf(" [%s]", fcvt(value, count, &point, &sign)), printf(" %d %d", point, sign);
    printf(" [%s]", qecvt(value, count, &point, &sign)), printf(" %d %d", point, sign);
    printf(" [%s]", qfcvt(value, count, &point, &sign)), printf(" %d %d", point, sign);
    printf(" [%s] [%s]\n", count < 0 ? "" : gcvt(value, count, text), count < 0 ? "" : qgcvt(value, count, text + 200));
    for (int room = 1; room < 30; room += 14) {
      int result = ecvt_r(value, count, &point, &sign, text, room);
      printf("  %d", result);
      if (result == 0) printf(" [%s] %d %d", text, point, sign);
      result = fcvt_r(value, count, &point, &sign, text, room);
      printf("  %d", result);
      if (result == 0) printf(" [%s] %d %d", text, point, sign);
      puts("");
    }
  }
  static const double rounded[] = {9.9996, 99.96, 999.51, 9999.6, 999999.5, 0.00099996, 0.99996, 9.5, 0.95};
  for (unsigned i = 0; i < sizeof rounded / sizeof *rounded; i++) {
    for (int count = 0; count < 7; count++) printf("%#.*g %.*g %#.*LG ", count, rounded[i], count, rounded[i], count, (long double)rounded[i]);
    puts("");
  }
  return 0;
}
