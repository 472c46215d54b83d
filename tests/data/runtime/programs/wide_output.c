/* Wide output on a wide stream, and an end by errx. */
#include <err.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static int print(const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vwprintf(format, list);
  va_end(list);
  return count;
}

int main(void) {
  int first = wprintf(L"%d %ls %s %5.2f|%-8ls|%c\n", 42, L"wide", "narrow", 3.14159, L"left", 'c');
  wprintf(L"%d %d\n", first, fwide(stdout, 0) > 0);
  putwchar(L'x'), putwchar_unlocked(L'y'), putwc(L'\n', stdout);
  wprintf(L"%d\n", print(L"%x %lc %S\n", 255, (wint_t)L'z', L"S"));
  wprintf(L"%d\n", fputws(L"text\n", stdout) >= 0);
  fflush(stdout);
  errx(5, "the end %s", "of it");
}
