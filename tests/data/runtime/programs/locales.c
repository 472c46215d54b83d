/* The functions with a locale of their own, as functions and as the macros of <ctype.h>. */
#include <ctype.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#include "show.h"

#define CLASS(name) (sum = sum * 3 + !!name##_l(c, locale), others = others * 3 + !!(name##_l)(c, locale))
#define WIDE(name) (sum = sum * 3 + !!isw##name##_l(c, locale))

static void narrow(locale_t locale) {
  unsigned long sum = 0, others = 0;
  for (int c = -1; c < 256; c++) {
    if (c > 127 && c < 256) continue;
    CLASS(isalpha), CLASS(isalnum), CLASS(isblank), CLASS(iscntrl), CLASS(isdigit), CLASS(isgraph), CLASS(islower), CLASS(isprint), CLASS(ispunct);
    CLASS(isspace), CLASS(isupper), CLASS(isxdigit);
    sum = sum * 31 + tolower_l(c, locale) + 7 * toupper_l(c, locale);
    others = others * 31 + (tolower_l)(c, locale) + 7 * (toupper_l)(c, locale);
  }
  printf("%lx %lx\n", sum, others);
}

static void wide(locale_t locale) {
  unsigned long sum = 0;
  wctype_t digits = wctype_l("digit", locale);
  wctrans_t up = wctrans_l("toupper", locale);
  for (wint_t c = 0; c < 128; c++) {
    WIDE(alpha), WIDE(alnum), WIDE(blank), WIDE(cntrl), WIDE(digit), WIDE(graph), WIDE(lower), WIDE(print), WIDE(punct), WIDE(space), WIDE(upper), WIDE(xdigit);
    sum = sum * 31 + towlower_l(c, locale) + 7 * towupper_l(c, locale) + !!iswctype_l(c, digits, locale) + 3 * towctrans_l(c, up, locale);
  }
  printf("%lx\n", sum);
}

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  locale_t c = newlocale(LC_ALL_MASK, "C", 0), copy = duplocale(c), global = duplocale(LC_GLOBAL_LOCALE), changed = newlocale(LC_NUMERIC_MASK, "POSIX", duplocale(c));
  locale_t all[] = {c, copy, global, changed};
  char text[64];
  wchar_t wide_text[64];
  for (int i = 0; i < 4; i++) narrow(all[i]), wide(all[i]);
  SHOW(sign(strcasecmp_l("Hello", "hELLP", c)));
  SHOW(sign(strncasecmp_l("Hello", "hELLP", 4, c)));
  SHOW(sign(strcoll_l("b", "a", c)));
  SHOW(strxfrm_l(text, "some text", sizeof text, c));
  SHOW_TEXT(text);
  SHOW(sign(wcscasecmp_l(L"Wide", L"wIDE", c)));
  SHOW(sign(wcsncasecmp_l(L"Wide", L"wIDF", 3, c)));
  SHOW(sign(wcscoll_l(L"a", L"b", c)));
  SHOW(wcsxfrm_l(wide_text, L"some text", 64, c));
  SHOW(wcscmp(wide_text, L"some text") == 0);
  SHOW_REAL(strtod_l("1.5e3x", NULL, c));
  SHOW_REAL(strtof_l("2.5", NULL, c));
  SHOW_REAL(strtold_l("-0.125", NULL, c));
  SHOW(strtol_l("0x1f", NULL, 16, c));
  SHOW(strtoul_l("077", NULL, 0, c));
  SHOW(strtoll_l("-9223372036854775808", NULL, 10, c));
  SHOW(strtoull_l("18446744073709551615", NULL, 10, c));
  struct tm tm = {.tm_year = 126, .tm_mon = 10, .tm_mday = 22, .tm_wday = 0, .tm_hour = 3};
  SHOW(strftime_l(text, sizeof text, "%A %d %B %Y %H", &tm, c));
  SHOW_TEXT(text);
  SHOW(wcsftime_l(wide_text, 64, L"%a %b", &tm, c));
  SHOW(wcscmp(wide_text, L"Sun Nov") == 0);
  SHOW_TEXT(strerror_l(2, c));
  locale_t before = uselocale(copy);
  SHOW(before == LC_GLOBAL_LOCALE);
  SHOW(uselocale((locale_t)0) == copy);
  SHOW(isalpha('x') != 0);
  uselocale(LC_GLOBAL_LOCALE);
  for (int i = 1; i < 4; i++) freelocale(all[i]);
  return 0;
}
