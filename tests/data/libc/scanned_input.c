// scanf: what each conversion takes of each text, and what is left of a stream; one line for each format.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static const char *const texts[] = {"", " ", "abc", "0xz", "0x", "0X1f", "0x.", "1.0e+!", "0x.p0()", "infinite", "infinity", "inf", "in",
    "nan(12)x", "-NAN", "]x]y", "a-z^b", "123456", "-123456", "+", "+x", "  12  x", "1e", "1e5000", "-1e-5000", ".5", ".", "-.5e-1x", "%5",
    "99999999999", "-99999999999999999999", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "08", "7abc", "one two",
    "(nil)", "(nil", "0x1.8p+", "0x1p-1074", "1,234", "12 34 56", "---"};
static const char *const formats[] = {"%d", "%i", "%o", "%u", "%x", "%p", "%ld", "%hhd", "%llx", "%qd", "%Ld", "%Zd", "%f", "%lf", "%Lf", "%A",
    "%s", "%2s", "%c", "%4c", "%63c", "%[a-z]", "%[^a-z]", "%[]x]", "%[^]x]", "%[a-]", "%[-a]", "%[^-]", "%[z-a]", "%[a", "%[+--]", "%3[a-c]",
    "%n%d", "%d %n", "%*d%n", "%*c%c", "%1d%1d", "%2d%*2d%d", "%3x%d", "%2x%n", "%3i%n", "%2f%f", "%4f%n", "%f%s", "%f%c", "%0d", "%d%c", "%x%c",
    "%d,%d", "%%%d", "%5%%d", "%2$s%1$n", "%1$d%2$s", "%*1$d", "%k", "%", "%l", "%5", "%-d", "%'d", "%Id", "%b", "%Ln", "%hn", "%99999999999d"};
static unsigned char taken[2][80];

static void show(int result) {
  printf(" %d", result);
  if (errno) printf("!%d", errno);
  for (int i = 0; i < 2; i++) {
    int size = sizeof taken[i];
    while (size && taken[i][size - 1] == 0xaa) size--;
    putchar(i ? '/' : ':');
    for (int k = 0; k < size; k++) printf("%02x", taken[i][k]);
    memset(taken[i], 0xaa, sizeof taken[i]);
  }
  errno = 0;
}

static void narrow(const char *format) {
  printf("%s", format);
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) show(sscanf(texts[i], format, taken[0], taken[1]));
}

static void wide(const char *format) {
  wchar_t text[40], wanted[20];
  mbstowcs(wanted, format, 20);
  printf("\n L");
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    mbstowcs(text, texts[i], 40);
    show(swscanf(text, wanted, taken[0], taken[1]));
  }
}

static void rest(const char *format) {
  printf("\n ...");
  for (unsigned i = 2; i < sizeof texts / sizeof *texts; i++) {
    FILE *in = fmemopen((void *)texts[i], strlen(texts[i]), "r");
    int result = fscanf(in, format, taken[0], taken[1]), at = (int)ftell(in), next = fgetc(in);
    printf(" %d@%d'%c'", result, at, next < 0 ? '~' : next);
    fclose(in);
  }
  memset(taken, 0xaa, sizeof taken);
  errno = 0;
}

static void allocated(void) {
  static const char *const words[] = {"", "  ", "abc def", "\xc3\xa4 x", "a much longer word than the others, which needs more room"};
  static const char *const asked[] = {"%ms", "%9mc", "%m[a-z]", "%m[^z]", "%3ms", "%md", "%*ms", "%mq", "%m", "%m[a", "%mls", "%ml[a-z ]"};
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
    printf("%s", asked[i]);
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
      static int own;
      void *got = &own;
      int result = sscanf(words[k], asked[i], &got);
      printf(" %d %s", result, !got ? "null" : got == &own ? "kept" : "new");
      if (got && got != &own && asked[i][1] == 'm') printf(strchr(asked[i], 'l') ? "[%ls]" : "[%s]", got);
    }
    puts("");
  }
}

static void whole_text(void) {
  static const char *const asked[] = {"%lc", "%2lc", "%5lc%n", "%3ls", "%ls%n", "%l[^x]", "%*lc%n", "\xc3\xa4%s", "%[\xc3\xa4]"};
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
    printf("%s", asked[i]);
    show(sscanf("\xc3\xa4\xe2\x82\xac z", asked[i], taken[0], taken[1]));
    show(sscanf("z\xff", asked[i], taken[0], taken[1]));
    puts("");
  }
}

int main(void) {
  memset(taken, 0xaa, sizeof taken);
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    narrow(formats[i]);
    rest(formats[i]);
    // A string that glibc's wscanf makes of wide characters ends with two zeros.
    if (!strpbrk(formats[i], "s[")) wide(formats[i]);
    puts("");
  }
  setlocale(LC_ALL, "C.UTF-8");
  allocated();
  whole_text();
  return 0;
}
