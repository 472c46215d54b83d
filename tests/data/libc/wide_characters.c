// Wide characters and characters of several bytes: classes, cases and widths by sums over ranges of code points, conversions of
// byte sequences of each kind in both directions. With EVERY in the environment all code points and more sequences.
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static unsigned long sum;

static void mix(unsigned long value) { sum = (sum ^ value) * 1099511628211ul; }

static void tell(const char *what, unsigned at) {
  printf("%s %x %lx\n", what, at, sum);
  sum = 14695981039346656037ul;
}

static void classes(unsigned step) {
  static const char *const names[] = {"upper", "lower", "alpha", "digit", "xdigit", "space", "print", "graph", "blank", "cntrl",
      "punct", "alnum", "combining", "combining_level3", "none"};
  static const char *const maps[] = {"tolower", "toupper", "totitle", "none"};
  wctype_t class[15];
  wctrans_t map[4];
  for (int i = 0; i < 15; i++) printf("%s %d\n", names[i], (class[i] = wctype(names[i])) != 0);
  for (int i = 0; i < 4; i++) printf("%s %d\n", maps[i], (map[i] = wctrans(maps[i])) != 0);
  for (unsigned c = 0; c < 0x110400; c += c < 0x100 ? 1 : step) {
    if (c % 0x4000 < step) tell("classes", c);
    for (int i = 0; i < 15; i++) mix(iswctype(c, class[i]));
    for (int i = 0; i < 4; i++) mix(towctrans(c, map[i]));
    mix(towupper(c)), mix(towlower(c)), mix(wcwidth(c));
    mix(iswupper(c)), mix(iswlower(c)), mix(iswalpha(c)), mix(iswdigit(c)), mix(iswxdigit(c)), mix(iswspace(c));
    mix(iswprint(c)), mix(iswgraph(c)), mix(iswblank(c)), mix(iswcntrl(c)), mix(iswpunct(c)), mix(iswalnum(c));
  }
  tell("classes", 0);
}

static void by_locale(void) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", 0), wide = newlocale(LC_ALL_MASK, "C.UTF-8", 0);
  for (unsigned c = 0; c < 0x600; c++) {
    mix(iswalpha_l(c, plain)), mix(iswalpha_l(c, wide)), mix(iswdigit_l(c, wide)), mix(iswpunct_l(c, wide));
    mix(towupper_l(c, plain)), mix(towupper_l(c, wide)), mix(iswctype_l(c, wctype_l("lower", wide), plain));
  }
  tell("by locale", 0);
}

/* What a conversion gave: result, where it stopped, error, state. */
static void outcome(long result, const char *start, const char *stopped, int error, const mbstate_t *state) {
  mix(result), mix(stopped ? stopped - start : 99), mix(error), mix(!!mbsinit(state));
}

static void forward(const char *text, int length) {
  wchar_t c, out[12];
  mbstate_t state;
  const char *at;
  long got;
  for (int n = 0; n <= length + 1; n++) {
    memset(&state, 0, sizeof state), errno = 0, c = -1;
    got = mbrtowc(&c, text, n, &state), outcome(got, 0, 0, errno, &state), mix(c);
    mix(mblen(text, n));
  }
  memset(&state, 0, sizeof state), mbtowc(0, 0, 0);
  for (int n = 0; n <= length; n++) {
    errno = 0, c = -1, got = mbrtowc(&c, text + n, 1, &state), outcome(got, 0, 0, errno, &state), mix(c);
    mix(mbtowc(&c, text + n, n % 3)), mix(c);
  }
  for (int room = 0; room <= length + 1; room++) {
    memset(out, 'U', sizeof out), memset(&state, 0, sizeof state), at = text, errno = 0;
    got = mbsrtowcs(out, &at, room, &state), outcome(got, text, at, errno, &state);
    for (int i = 0; i < 12; i++) mix(out[i]);
    for (int bytes = 0; bytes <= length + 1; bytes++) {
      memset(out, 'U', sizeof out), memset(&state, 0, sizeof state), at = text, errno = 0;
      got = mbsnrtowcs(out, &at, bytes, room, &state), outcome(got, text, at, errno, &state);
      for (int i = 0; i < 12; i++) mix(out[i]);
      at = text, mix(mbsnrtowcs(0, &at, bytes, room, &state));
    }
  }
  mix(mbstowcs(0, text, 0));
  memset(&state, 0, sizeof state);
  for (int n = 0; n <= length;) {
    char16_t half = -1;
    got = mbrtoc16(&half, text + n, length + 1 - n, &state), mix(got), mix(half);
    n += got == -3 ? 0 : got <= 0 ? 1 : got;
  }
}

static void sequences(unsigned count) {
  static const unsigned char bytes[] = {1, 'a', 0x7f, 0x80, 0x83, 0x84, 0x87, 0x88, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
      0xe1, 0xed, 0xef, 0xf0, 0xf4, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
  unsigned x = 1;
  for (unsigned i = 0; i < count; i++) {
    char text[12] = {0};
    int length = 1 + i % 8;
    for (int k = 0; k < length; k++) {
      x = x * 1103515245 + 12345;
      unsigned random = x >> 16;
      text[k] = k && (random & 7) < 5 ? 0x80 + (random >> 4) % 64 : bytes[(random >> 3) % sizeof bytes];
    }
    forward(text, length);
    if (i % (count / 16) == 0) tell("sequences", i);
  }
}

static void backward(unsigned step) {
  static const unsigned edges[] = {0x7f, 0x80, 0x7ff, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xffff, 0x10ffff, 0x1fffff, 0x200000, 0x4000000,
      0x7fffffff, 0x80000000};
  char out[20];
  mbstate_t state = {0};
  for (unsigned c = 0; c < 0x120000; c += step) {
    memset(out, 'U', sizeof out);
    mix(wcrtomb(out, c, &state)), mix(btowc(c)), mix(wctob(c));
    for (int i = 0; i < 8; i++) mix(out[i]);
  }
  tell("backward", 0);
  for (int i = 0; i < 14; i++)
    for (int room = 0; room < 10; room++) {
      wchar_t text[] = {'a', edges[i], 'b', 0};
      const wchar_t *at = text;
      memset(out, 'U', sizeof out), errno = 0;
      mix(wcsrtombs(out, &at, room, &state)), mix(at ? at - text : 9), mix(errno);
      for (int n = 0; n < 5; n++) at = text, mix(wcsnrtombs(out, &at, n, room, &state)), mix(at ? at - text : 9);
      for (int k = 0; k < 20; k++) mix(out[k]);
      mix(wcstombs(0, text, 0));
    }
  tell("strings backward", 0);
  for (unsigned a = 0xd700; a < 0xe100; a += 0x7f)
    for (unsigned b = 0xd700; b < 0xe100; b += 0x7f) {
      memset(out, 'U', sizeof out);
      mix(c16rtomb(out, a, &state)), mix(c16rtomb(out, b, &state)), mix(c16rtomb(0, 0, &state)), mix(out[0]), mix(out[3]);
    }
  tell("halves backward", 0);
}

int main(void) {
  int all = getenv("EVERY") != 0;
  for (int i = 0; i < 2; i++) {
    printf("%s\n", setlocale(LC_ALL, i ? "C.UTF-8" : "C"));
    classes(all ? 1 : 577);
    sequences(all ? 60000 : 96);
    backward(all ? 1 : 577);
    by_locale();
  }
  return 0;
}
