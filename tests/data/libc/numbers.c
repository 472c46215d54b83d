// Text to numbers and back: limits, ends of parsing, errno, printf's formats.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void integers(const char *text, int base) {
  char *end;
  errno = 0;
  long a = strtol(text, &end, base);
  printf("'%s' base %d: %ld rest '%s' errno %d", text, base, a, end, errno);
  errno = 0;
  unsigned long b = strtoul(text, &end, base);
  printf(" unsigned %lu rest '%s' errno %d", b, end, errno);
  errno = 0;
  printf(" %d %jd\n", atoi(text), strtoimax(text, NULL, base));
}

int main(void) {
  static const char *const texts[] = {"", " ", "0", "-0", "+7", "--7", "12ab", "0x1f", "0x", "0xg", "0X7FFFFFFFFFFFFFFF",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "-1", "-18446744073709551616", "077", "08", "zz", "\t\n 42x", "1 2", "\xe9"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37};
    for (unsigned j = 0; j < 8; j++) integers(texts[i], bases[j]);
  }
  static const char *const reals[] = {"", "1", "-1.5e3x", "1e400", "-1e400", "1e-400", "inf", "-infinity", "nan", "nan(12)",
      "0x1.8p3", ".5", ".", "1e", "1e+", "123456789012345678901234567890", "0.1"};
  for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
    char *end;
    errno = 0;
    double d = strtod(reals[i], &end);
    int number = errno;
    printf("'%s' %g %.17g rest '%s' errno %d", reals[i], d, d, end, number);
    printf(" %Lg %f\n", strtold(reals[i], NULL), (double)strtof(reals[i], NULL));
  }
  printf("[%5d][%-5d][%05d][%+d][% d][%x][%#X][%o][%#o][%u]\n", 42, 42, 42, 42, 42, 255, 255, 8, 8, -1);
  printf("[%s][%10s][%-10s][%.2s][%c][%%][%5c]\n", "abc", "abc", "abc", "abc", 'x', 'y');
  printf("[%ld][%lld][%hd][%hhd][%zu][%jd][%td]\n", -1L, -1LL, 70000, 300, (size_t)7, (intmax_t)-7, (ptrdiff_t)3);
  printf("[%f][%.0f][%10.3f][%e][%E][%g][%G][%#g][%.10g]\n", 3.14159, 2.5, 3.14159, 12345.678, 0.00012, 1e10, 1e-10, 1.0, 0.1);
  printf("[%Lf][%Le][%Lg]\n", 1.5L, 1e300L, 1e-300L);
  printf("[%*d][%-*d][%.*f]\n", 6, 42, 6, 42, 2, 3.14159);
  printf("%2$s %1$s\n", "world", "hello");
  printf("%p %p\n", (void *)0, (void *)0x1234);
  printf("%d %d %d %d\n", isinf(1 / 0.0) != 0, isnan(0 / 0.0) != 0, signbit(-0.0) != 0, finite(1.0));
  printf("%.3f %.3f %.3f %.3f %.0f %.0f\n", sqrt(2), floor(-1.5), ceil(1.2), fabs(-3.5), rint(2.5), trunc(-2.7));
  printf("%.6f %.6f %.6f %.6f %.6f\n", sin(1), exp(1), log(10), pow(2, 0.5), fmod(7, 3));
  printf("%ld %ld %d\n", lrint(2.5), lround(2.5), abs(-3));
  int n = 0, m = 0;
  char word[20];
  printf("%d %d %d %s\n", sscanf("12 abc 0x1f", "%d %19s %i", &n, word, &m), n, m, word);
  return 0;
}
