/* printf, scanf and strtod at their edges: %a, subnormals, infinities, widths from arguments, positions, grouping, %n, %m, long doubles, wide text, scan sets, odd input. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static void wrapped(const char *format, ...) { char small[10]; va_list ap, again; va_start(ap, format); va_copy(again, ap); int n = vsnprintf(small, sizeof small, format, ap); char *all; int m = vasprintf(&all, format, again); printf("%d %d [%s] [%s]\n", n, m, small, all); free(all); va_end(ap); va_end(again); }
#ifdef __FAST_MATH__
static const double values[] = {1, -1.5, 0.1, 1e22, 123456789, 0.5, 2.5, 1e-5, 99999.95};
#else
static const double values[] = {0.0, -0.0, 1, -1.5, 0.1, 1e22, 1e23, DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 2.2250738585072011e-308, 123456789, 0.5, 1.5, 2.5, 1e-5, 9.9999e-5, 99999.95, INFINITY, -INFINITY, 0.3, 5e-324, 1.7976931348623157e308, 0.000123456789};
#endif
int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) { double d = values[i]; printf("%f|%e|%g|%a|%.0f|%.0e|%.3g|%#g|%+.1f|% e|%012.4f|%-12.2e|%G|%A|%.1a|%.20g|%Lf|%La|%.15Lg\n", d, d, d, d, d, d, d, d, d, d, d, d, d, d, d, d, (long double)d, (long double)d, (long double)d / 3); }
  printf("%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%x|%#X|%#o|%u|%hhd|%hd|%ld|%lld|%jd|%zd|%td|%c|%5c|%-3c|%s|%.2s|%10s|%-10s|%%\n", 42, 42, 42, 42, 42, 7, 7, 255, 255, 8, -1, 300, 70000, LONG_MIN, LLONG_MAX, INTMAX_MIN, (ssize_t)-1, (ptrdiff_t)-2, 'x', 'y', 'z', "text", "text", "text", "text");
  printf("%*d|%-*d|%.*f|%*.*s\n", 6, 5, 6, 5, 2, 3.14159, 8, 3, "abcdef"); printf("%2$s %1$s %2$.1s %3$*4$d\n", "one", "two", 7, 5); int n; printf("abc%n", &n); printf(" %d\n", n); errno = ENOENT; printf("%m|%10.4m\n"); printf("%p %p %s %.3s\n", (void *)0x1234, (void *)0, (char *)0, (char *)0); printf("%.0d|%.0x|%#x|%#o|%+.0d|%5.0d|\n", 0, 0, 0, 0, 0, 0); printf("%'d %'.2f\n", 1234567, 9876543.21); printf("%ls|%.2ls|%lc|%C|%S\n", L"wide", L"wide", (wint_t)L'w', (wint_t)L'c', L"S"); printf("%hhu %hu %lu %llu %ju %zu\n", 511, 70000, ULONG_MAX, ULLONG_MAX, UINTMAX_MAX, SIZE_MAX); printf("%" PRId64 " %" PRIx32 " %" PRIuMAX "\n", INT64_MIN, 0xdeadbeef, UINTMAX_MAX);
  wrapped("%d %s", 12345678, "text"); wrapped("%s", "short"); wrapped("%10.3f%%", 2.0 / 3); char buffer[8]; printf("%d %s\n", snprintf(buffer, sizeof buffer, "%d", 123456789), buffer); printf("%d\n", snprintf(0, 0, "%s %d", "hello", 5));
  static const char *const numbers[] = {"1", " -2.5e3x", "0x1.8p3", "1e400", "-1e-400", "inf", "-INFINITY", "nan(12)", ".5.", "5.", "+.e", "0x", "0x.p", "1e", "1e+", "123456789012345678901234567890", "0.1e-5000", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880", "9007199254740993", "  \t\n7", "1,5", "1_0"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) { char *e1, *e2, *e3; errno = 0; double d = strtod(numbers[i], &e1); int err = errno; float f = strtof(numbers[i], &e2); long double l = strtold(numbers[i], &e3); long k = strtol(numbers[i], &e2, 0); errno = 0; unsigned long u = strtoul(numbers[i], 0, 36);
#ifndef __FAST_MATH__
    printf("%a %a %La ", d, f, l);
#endif
    printf("%td %td %d %ld %lu %d\n", e1 - numbers[i], e3 - numbers[i], err, k, u, errno); }
  int a, b, c; float f; double d; char s[20], t[20], *m; long l; unsigned x; wchar_t w[10]; short h; unsigned char hh; void *p; long double ld;
  printf("%d ", sscanf("12 0x1f 017 abc", "%d %i %i %s", &a, &b, &c, s)); printf("%d %d %d %s\n", a, b, c, s); printf("%d ", sscanf("3.5e2,key=value;rest", "%f,%[a-z]=%[^;];%n", &f, s, t, &n)); printf("%g %s %s %d\n", f, s, t, n); printf("%d ", sscanf("abc123", "%3c%2d%*d%n", s, &a, &n)); printf("%.3s %d\n", s, a); printf("%d\n", sscanf("x", "%d", &a)); printf("%d\n", sscanf("", "%d", &a)); printf("%d ", sscanf("  42%", "%d%%%n", &a, &n)); printf("%d %d\n", a, n); printf("%d ", sscanf("ff -7 70000 300", "%x %ld %hd %hhu", &x, &l, &h, &hh)); printf("%x %ld %d %d\n", x, l, h, hh); printf("%d ", sscanf("word another", "%ms %ls", &m, w)); printf("%s %ls\n", m, w); free(m); printf("%d ", sscanf("0x1p-3 0x10 nan", "%lf %p %Lf", &d, &p, &ld)); printf("%g %p\n", d, p); printf("%d ", sscanf("]-a^b", "%[]^a-]%s", s, t)); printf("%s %s\n", s, t); printf("%d ", sscanf("12:34:56.789", "%2d:%2d:%lf", &a, &b, &d)); printf("%d %d %g\n", a, b, d); printf("%d ", sscanf("1e5x", "%d%s", &a, s)); printf("%d %s\n", a, s); printf("%d ", sscanf("99999999999", "%d", &a)); printf("%d\n", a); printf("%d %s\n", sscanf("a,b", "%1$[^,],%2$s", s, t), t);
  FILE *in = fmemopen((char[]){"10 20 thirty\nlast line without end"}, 34, "r"); printf("%d ", fscanf(in, "%d%d", &a, &b)); printf("%d ", fscanf(in, "%d", &c)); char *line = 0; size_t room = 0; ssize_t got; while ((got = getline(&line, &room, in)) > 0) printf("%zd[%.*s]", got, (int)strcspn(line, "\n"), line); printf("%d %d\n", feof(in) != 0, ferror(in)); fclose(in); free(line);
  printf("%s %s\n", setlocale(LC_ALL, 0), setlocale(LC_ALL, "xx_YY.nothing") ? "set" : "none"); setlocale(LC_ALL, ""); struct lconv *lc = localeconv(); printf("[%s][%s][%d]\n", lc->decimal_point, lc->thousands_sep, lc->frac_digits == CHAR_MAX); printf("%d %d\n", fprintf(stderr, "to stderr %d\n", 5), fflush(0)); puts(""); putchar('x'); fputs("y\n", stdout); fwrite("bin\0ary\n", 1, 8, stdout);
  return 0;
}
