// printf: all flags, widths, precisions, modifiers and conversions, positions, what is no conversion, wide text.
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static char text[400];

static void told(const char *format, int result) { printf("%s %d %d [%s]\n", format, result, result < 0 ? errno : 0, text); }

#define PRINT(format, ...) (memset(text, 0, sizeof text), told(format, snprintf(text, sizeof text, format, __VA_ARGS__)))

static void wide(const char *format, ...) {
  wchar_t wanted[60], result[200];
  va_list list;
  for (int i = 0; !i || format[i - 1]; i++) wanted[i] = (unsigned char)format[i];
  va_start(list, format);
  wmemset(result, 0, 200);
  int length = vswprintf(result, 200, wanted, list);
  va_end(list);
  printf("L%s %d [%ls]\n", format, length, result);
}

static const char *const flags[] = {"", "-", "+", " ", "#", "0", "'", "I", "-0", "+ ", "#0", "0-", "##+"};
static const char *const widths[] = {"", "1", "7"};
static const char *const precisions[] = {"", ".", ".0", ".3", ".-3"};
static const char *const modifiers[] = {"", "h", "hh", "l", "ll", "L", "q", "j", "z", "t", "Z", "hl", "lll"};

static void one(const char *format, char conversion, unsigned modifier, unsigned value) {
  static const long numbers[] = {0, 1, -1, 42, -1234567, 255};
  static const double reals[] = {0.0, -0.0, 1.5, -2.5e-5, 1234567.891, INFINITY, NAN};
  const int is_large = modifier == 4 || modifier == 5 || modifier == 6;
  if (strchr("eEfFgGaA", conversion)) {
    double real = reals[value % 7];
    if (is_large) PRINT(format, (long double)real), wide(format, (long double)real);
    else if (modifier < 11) PRINT(format, real), wide(format, real);
  } else if (strchr("sS", conversion)) {
    if (modifier > 10) return;
    if (conversion == 'S' || modifier > 2) {
      const wchar_t *string = value % 3 ? value % 3 > 1 ? L"wide" : L"" : NULL;
      PRINT(format, string), wide(format, string);
    } else {
      const char *string = value % 3 ? value % 3 > 1 ? "text" : "" : NULL;
      PRINT(format, string), wide(format, string);
    }
  } else if (conversion == 'c' || conversion == 'C') {
    PRINT(format, 'a' + (int)value % 26), wide(format, 'a' + (int)value % 26);
  } else if (conversion == 'p') {
    PRINT(format, (void *)numbers[value % 6]), wide(format, (void *)numbers[value % 6]);
  } else {
    PRINT(format, numbers[value % 6]), wide(format, numbers[value % 6]);
  }
}

static void combinations(void) {
  static const char conversions[] = "diouxXcsp%eEfFgGaACSmbBkyD";
  char format[60];
  unsigned number = 0;
  for (unsigned flag = 0; flag < sizeof flags / sizeof *flags; flag++)
    for (unsigned width = 0; width < 3; width++)
      for (unsigned precision = 0; precision < 5; precision++)
        for (unsigned conversion = 0; conversions[conversion]; conversion++) {
          unsigned modifier = number++ % (sizeof modifiers / sizeof *modifiers);
          if (number % 2 && flag && width) continue;
          sprintf(format, "<%%%s%s%s%s%c>", flags[flag], widths[width], precisions[precision], modifiers[modifier], conversions[conversion]);
          one(format, conversions[conversion], modifier, number / 5);
        }
}

static void odd(void) {
  static const char *const formats[] = {"%", "a%", "%5", "%.", "%l", "%d%", "%%%", "%!", "%d %? %d", "%d %1$d %d", "%2$d %d %d", "%d%k%d%k%d", "%k%",
      "%1$d%", "%5%|", "%-5%|", "%05%", "%.-3d", "%-1$d", "%0$d", "%*2$d", "%1$*d", "%*d %2$d", "%#'+ -0I7.3k", "%*k", "%.*k", "%*.*k %d", 
      "%k%5", "%1$k %d", "%5Id", "%1$*2$d|%1$.*2$d", "%99999999999d", "%.2147483648d", "%b %B %#b %08b", "%1$hhd %1$d %1$hu",
      "%\x80", "\xc3\xa4%d", "%lld%llu"};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) PRINT(formats[i], 5, 6, 7, 300, 9, 10, 11, 12, 13, 14, 15, 16);
}

// The corners of a public report: positions, negative widths, hexadecimal floats, null strings, wide characters.
static void corners(void) {
  volatile double zero = 0.0;
  int n = 0, r;
  PRINT("[%3$d %1$s %2$*4$d]", "a", 42, 7, -6);
  PRINT("[%*d] [%-*d] [%.*d] [%.*s]", -5, 3, 5, 3, -1, 3, -1, "text");
  PRINT("[%a] [%A] [%.2a] [%.0a] [%20a] [%a] [%a] [%La]", 1.0, 0.1, 1.999, 1.5, -2.5, 5e-324, zero, 1.5L);
  PRINT("[%.0f] [%.0f] [%.0f] [%.0f] [%.1f] [%.20g]", 0.5, 1.5, 2.5, 3.5, 0.25, 0.1);
  PRINT("[%.3Lf] [%Lg] [%.40Lf]", 1.0005L, 1e4000L, 0.1L);
  PRINT("[%hhd] [%hd] [%hhu] [%hx] [%jd] [%zd] [%td] [%zx]", 300, 70000, -1, -1, INTMAX_MIN, (size_t)5, (ptrdiff_t)-3, SIZE_MAX);
  PRINT("[%s] [%.3s] [%.10s] [%p] [%5p] [%-10p]", (char *)0, (char *)0, (char *)0, (void *)0, (void *)0, (void *)0);
  PRINT("[%lld] [%qd] [%Ld] [%Zu] [%C] [%S] [%I d]", INT64_MIN, 5LL, 6LL, (size_t)7, (wint_t)L'c', L"s", 7);
  PRINT("[%1$s %1$s] [%2$.*3$f] [%4$d]", "same", 2.5, 2, 4);
  printf("abc%n[%d]%n %d ", &n, 5, &r, n);
  printf("%d\n", r);
  errno = ENOENT;
  printf("[%m] [%10.4m] [%#m] [%#9m]\n");
}

static void wide_text(void) {
  const wchar_t good[] = {'a', 0xe4, 0x20ac, 0x1f600, 'z', 0}, bad[] = {'a', 0xd800, 'b', 0};
  static const char *const formats[] = {"%ls", "%.2ls", "%.3ls", "%.6ls", "%12ls|", "%-12ls|", "%012.4ls", "%S", "%.0ls"};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) PRINT(formats[i], good), PRINT(formats[i], bad), wide(formats[i], good);
  static const wint_t letters[] = {0, 'a', 0xe4, 0x20ac, 0xd800, 0x1f600};
  for (unsigned i = 0; i < sizeof letters / sizeof *letters; i++) PRINT("%lc|%5lc|%-5C|%05lc", letters[i], letters[i], letters[i], letters[i]);
  for (unsigned room = 0; room < 8; room++) {
    wchar_t small[8];
    wmemset(small, L'#', 8);
    int result = swprintf(small, room, L"%d-%s", 12, "xy");
    printf("%u: %d", room, result);
    for (unsigned i = 0; i < 8; i++) printf(" %x", small[i]);
    puts("");
  }
}

int main(void) {
  combinations();
  odd();
  corners();
  setlocale(LC_ALL, "C.UTF-8");
  wide_text();
  return 0;
}
