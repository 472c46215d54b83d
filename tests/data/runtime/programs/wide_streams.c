/* Wide characters on standard streams, streams made of functions, and what is left of stdio. */
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#include "show.h"

static char store[64];
static size_t used, place;
static ssize_t cookie_write(void *cookie, const char *text, size_t size) {
  memcpy(store + used, text, size), used += size;
  return size;
}
static ssize_t cookie_read(void *cookie, char *text, size_t size) {
  if (size > used - place) size = used - place;
  memcpy(text, store + place, size), place += size;
  return size;
}
static int cookie_close(void *cookie) { return ++*(int *)cookie, 0; }

static int print_wide(FILE *stream, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfwprintf(stream, format, list);
  va_end(list);
  return result;
}
static int scan_wide(FILE *stream, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfwscanf(stream, format, list);
  va_end(list);
  return result;
}
static int scan(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vscanf(format, list);
  va_end(list);
  return result;
}

int main(void) {
  int closed = 0, a = 0, b = 0;
  char word[16], *name, text[L_tmpnam];
  wchar_t wide[16];
  cookie_io_functions_t functions = {cookie_read, cookie_write, NULL, cookie_close};
  FILE *stream = fopencookie(&closed, "w+", functions);
  SHOW(fprintf(stream, "cookie %d\n", 5)), SHOW(fflush(stream)), SHOW(used);
  SHOW(fclose(stream)), SHOW(closed);
  stream = fopencookie(&closed, "r", functions);
  SHOW(fscanf(stream, "%15s %d", word, &a)), SHOW_TEXT(word), SHOW(a), fclose(stream), SHOW(closed);

  stream = fopen("wide", "w+");
  SHOW(fwide(stream, 0) == 0);
  SHOW(print_wide(stream, L"%d %ls %s|", 12, L"wide", "narrow"));
  SHOW(fputwc_unlocked(L'x', stream)), SHOW(putwc_unlocked(L'\n', stream)), SHOW(fputws_unlocked(L"second 7 8\n", stream) >= 0);
  SHOW(fwide(stream, 0) > 0);
  rewind(stream);
  SHOW(fgetwc_unlocked(stream)), SHOW(getwc_unlocked(stream));
  SHOW(fgetws_unlocked(wide, 16, stream) == wide), SHOW(wcslen(wide));
  SHOW(scan_wide(stream, L"%ls %d %d", wide, &a, &b));
  SHOW(wcscmp(wide, L"second") == 0), SHOW(ungetwc(L'q', stream)), SHOW(getwc(stream)), SHOW(feof(stream));
  fclose(stream);

  FILE *input = fopen("input", "w");
  fputs("12 word\nlast line\n77 x wide 5\nz", input), fclose(input);
  SHOW(freopen("input", "r", stdin) == stdin);
  SHOW(scanf("%d", &a)), SHOW(scan("%15s", word)), SHOW(a), SHOW_TEXT(word), SHOW(getchar()), SHOW(getchar_unlocked());
  char line[32];
  SHOW_TEXT(fgets(line, sizeof line, stdin));
  SHOW(freopen("input", "r", stdin) == stdin);
  SHOW(wscanf(L"%d %ls", &a, wide)), SHOW(a), SHOW(getwchar()), SHOW(getwchar_unlocked());
  fclose(stdin);

  name = tmpnam(text);
  SHOW(name == text), SHOW(strncmp(name, "/tmp/", 5)), SHOW(access(name, F_OK));
  name = tempnam("/tmp", "pre");
  SHOW(strncmp(name, "/tmp/pre", 8)), free(name);
  unlink("wide"), unlink("input");
  return 0;
}
