/* Character classes, wide and multibyte characters in the C locale, locale data. */
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

#include "show.h"

int main(void) {
  for (int c = -1; c < 256; c++) {
    int bits = !!isalnum(c) | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 | !!isdigit(c) << 4 | !!isgraph(c) << 5 |
               !!islower(c) << 6 | !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 | !!isupper(c) << 10 |
               !!isxdigit(c) << 11;
    printf("%d %x %d %d\n", c, bits, tolower(c), toupper(c));
  }
  SHOW(toascii(200));
  SHOW_TEXT(setlocale(LC_ALL, NULL));
  SHOW_TEXT(setlocale(LC_ALL, "C"));
  SHOW_TEXT(localeconv()->decimal_point);
  SHOW_TEXT(localeconv()->thousands_sep);
  SHOW_TEXT(nl_langinfo(RADIXCHAR));
  SHOW_TEXT(nl_langinfo(DAY_1));
  SHOW_TEXT(nl_langinfo(ABMON_12));
  SHOW(MB_CUR_MAX);
  wchar_t wide[20];
  char narrow[20];
  SHOW(mbstowcs(wide, "plain", 20));
  SHOW(wide[4]);
  SHOW(wcslen(wide));
  SHOW(wcscmp(wide, L"plain") == 0);
  SHOW(wcschr(wide, L'a') - wide);
  SHOW(wcstombs(narrow, L"wide", 20));
  SHOW_TEXT(narrow);
  SHOW(mblen("x", 1));
  SHOW(mbtowc(wide, "y", 1));
  SHOW(wctomb(narrow, L'z'));
  SHOW(btowc('a'));
  SHOW(wctob(L'b'));
  SHOW(iswalpha(L'q') != 0);
  SHOW(iswdigit(L'q') != 0);
  SHOW(towupper(L'q'));
  SHOW(iswctype(L'5', wctype("digit")) != 0);
  SHOW(wctype("nonsense"));
  SHOW(swprintf(wide, 20, L"%d %ls", 5, L"five"));
  SHOW(wcstol(wide, NULL, 10));
  SHOW_REAL(wcstod(L"2.5", NULL));
  mbstate_t state;
  memset(&state, 0, sizeof state);
  SHOW(mbrtowc(wide, "a", 1, &state));
  SHOW(mbrtowc(wide, "", 1, &state));
  SHOW(wmemcmp(L"abc", L"abc", 3));
  SHOW(wcwidth(L'a'));
  SHOW(wcscoll(L"a", L"b") < 0);
  return 0;
}
