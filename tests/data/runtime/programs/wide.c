// Wide characters, locales as arguments, conversion between encodings.
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static void convert(const char *to, const char *from, const char *text) {
  iconv_t open = iconv_open(to, from);
  char out[64], *in = (char *)text, *end = out;
  size_t in_left = strlen(text), out_left = sizeof out;
  ssize_t result = iconv(open, &in, &in_left, &end, &out_left);
  printf("%s %zd %s %zu %.*s\n", to, result, result < 0 ? strerror(errno) : "", in_left, (int)(end - out), out);
  iconv_close(open);
}

static void strings(void) {
  wchar_t a[40] = L"abc", b[40], *rest;
  printf("%ls %ls", wcscat(a, L"def"), wcscpy(b, L"xyz"));
  printf(" %ls", wcsncat(a, L"ghij", 2)), printf(" %ls", wcsncpy(b, L"12", 5)), printf(" %ls\n", wcpcpy(b, L"pq") - 2);
  printf("%d %d %d %d\n", wcsncmp(L"abc", L"abd", 2), wcsncmp(L"abc", L"abd", 3) < 0, wcscasecmp(L"AbC", L"aBc"), wcsncasecmp(L"ABx", L"aby", 2));
  printf("%zu %zu %ls %ls %ls\n", wcscspn(L"hello", L"l"), wcsspn(L"aab", L"a"), wcspbrk(L"hello", L"lo"), wcsrchr(L"a/b/c", L'/'), wcsstr(L"haystack", L"st"));
  wcscpy(b, L"one,two,,three");
  for (wchar_t *word = wcstok(b, L",", &rest); word; word = wcstok(NULL, L",", &rest)) printf("<%ls>", word);
  wchar_t *copy = wcsdup(L"copied");
  printf(" %ls %ld\n", copy, (long)(wcschrnul(copy, L'z') - copy));
  wmemset(b, L'-', 5), wmemcpy(b + 1, L"++", 2), wmemmove(b + 2, b, 3), b[5] = 0;
  printf("%ls %d %ls\n", b, wmemcmp(L"ab", L"ac", 2) < 0, wmemchr(L"abc", L'b', 3));
  printf("%d %d %d\n", wcscoll(L"a", L"b") < 0, (int)wcsxfrm(b, L"abc", 40), wcswidth(L"abc", 3));
  printf("%ld %lu %lld %g %g %Lg\n", wcstol(L" -0x1f", NULL, 0), wcstoul(L"77", NULL, 8), wcstoll(L"-9z", &rest, 10), wcstod(L"2.5e3", NULL), wcstof(L".5", NULL), wcstold(L"inf", NULL));
  printf("%llu %jd %ls\n", wcstoull(L"zz", NULL, 36), wcstoimax(L"12", NULL, 10), rest);
  static const char *const kinds[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"};
  for (int k = 0; k < 12; k++) {
    printf("%s:", kinds[k]);
    for (int c = 0; c < 128; c += 5) printf("%d", !!iswctype(c, wctype(kinds[k])));
    printf("\n");
  }
  printf("%lc%lc %d%d%d\n", towctrans(L'a', wctrans("toupper")), towupper(L'q'), !!iswblank(L'\t'), !!iswxdigit(L'g'), !!iswpunct(L'!'));
}

static void conversion(void) {
  mbstate_t state = {0};
  wchar_t wide[20];
  char narrow[20];
  const char *from = "text";
  const wchar_t *back = L"back";
  char16_t sixteen;
  char32_t thirty_two;
  printf("%zu", mbsnrtowcs(wide, &from, 3, 20, &state)), wide[3] = 0, printf(" %ls", wide);
  printf(" %zu", wcsnrtombs(narrow, &back, 2, 20, &state)), narrow[2] = 0, printf(" %s", narrow);
  printf(" %zu %d %zu %zu", mbrlen("a", 1, &state), !!mbsinit(&state), mbrtoc16(&sixteen, "b", 1, &state), mbrtoc32(&thirty_two, "c", 1, &state));
  printf(" %c%c %zu %zu\n", (int)sixteen, (int)thirty_two, c16rtomb(narrow, u'd', &state), c32rtomb(narrow, U'e', &state));
  printf("%zu %d\n", mbrtowc(wide, "\xff", 1, &state) == (size_t)-1 ? (size_t)0 : (size_t)1, MB_CUR_MAX == 1);
  iconv_t to = iconv_open("UTF-16LE", "UTF-8");
  char input[] = "a\xc3\xa9z", output[20] = "", *in = input, *out = output;
  size_t in_left = 4, out_left = 20;
  printf("%zd", (ssize_t)iconv(to, &in, &in_left, &out, &out_left)), printf(" %zu %zu", in_left, out_left);
  for (int i = 0; i < 6; i++) printf(" %02x", (unsigned char)output[i]);
  char bad[] = "\xff";
  in = bad, in_left = 1, out = output, out_left = 20;
  printf(" %zd", (ssize_t)iconv(to, &in, &in_left, &out, &out_left)), printf(" %s %d\n", strerror(errno), iconv_close(to));
  printf("%d\n", iconv_open("nonsense", "UTF-8") == (iconv_t)-1);
  convert("ASCII", "UTF-8", "Fran\xc3\xa7ois");
  convert("ANSI_X3.4-1968//TRANSLIT", "UTF-8", "Fran\xc3\xa7ois \xe2\x80\x9cq\xe2\x80\x9d \xe2\x82\xac");
  convert("ASCII//IGNORE", "UTF-8", "a\xc3\xa7" "b");
  convert("ISO-8859-1", "UTF-8", "\xc3\xa7\xe2\x82\xac");
  convert("KOI8-R//TRANSLIT", "UTF-8", "\xd0\xb6\xc3\xa7");
}

static void locales(void) {
  locale_t c = newlocale(LC_ALL_MASK, "C", 0);
  locale_t copy = duplocale(c), old = uselocale(copy);
  // The functions, not the headers' macros, which look into glibc's own locale objects.
  printf("%d %d%d%d%d %c%c\n", old == LC_GLOBAL_LOCALE, !!(isalpha_l)('a', c), !!(isdigit_l)('a', c), !!(isspace_l)(' ', c), !!(isupper_l)('A', c), (toupper_l)('x', c), (tolower_l)('Y', c));
  printf("%d %d %g %ld %s %s\n", strcoll_l("a", "b", c) < 0, strcasecmp_l("AB", "ab", c), strtod_l("1.25", NULL, c), strtol_l("42", NULL, 10, c), nl_langinfo_l(RADIXCHAR, c), strerror_l(ENOENT, c));
  printf("%d %d %d %d\n", !!iswalpha_l(L'a', c), !!iswdigit_l(L'5', c), (int)towupper_l(L'a', c), wcscoll_l(L"b", L"a", c) > 0);
  char text[50];
  struct tm when = {.tm_year = 100, .tm_mday = 1, .tm_wday = 6};
  strftime_l(text, sizeof text, "%A %B %x", &when, c);
  printf("%s\n", text);
  wchar_t wide[50];
  wcsftime(wide, 50, L"%Y-%m-%d %a", &when);
  printf("%ls\n", wide);
  uselocale(old), freelocale(copy), freelocale(c);
  printf("%s %s %s %s\n", setlocale(LC_ALL, NULL), gettext("untranslated"), ngettext("one", "many", 2), dgettext("domain", "same"));
  printf("%s %s %d\n", textdomain(NULL), nl_langinfo(CODESET), localeconv()->decimal_point[0]);
}

static void streams(void) {
  FILE *f = fopen("wide.txt", "w+");
  printf("%d", fwide(f, 1) > 0), fputws(L"first line\nsecond\n", f), fputwc(L'3', f), putwc(L'!', f), fwprintf(f, L" %d %ls\n", 42, L"w");
  rewind(f);
  wchar_t line[30];
  printf(" %ls", fgetws(line, 30, f));
  wint_t first = fgetwc(f);
  ungetwc(L'S', f);
  printf("%lc%lc", first, getwc(f));
  int number;
  wchar_t word[20];
  printf(" %d", fwscanf(f, L"%19ls", word)), printf(" %ls", word);
  printf(" %d", swscanf(L"17 xyz", L"%d %19ls", &number, word)), printf(" %d %ls", number, word);
  printf(" %d", swprintf(line, 30, L"%05d|%-4ls|", 12, L"ab")), printf(" %ls\n", line);
  fclose(f);
  wchar_t *made;
  size_t size;
  f = open_wmemstream(&made, &size);
  fputws(L"memory", f), fclose(f);
  printf("%ls %zu\n", made, size);
}

int main(void) {
  strings(), conversion(), locales(), streams();
  return 0;
}
