// strtod, strtof and strtold: syntax, ends, errno, bits of the results, numbers around each limit, very long texts.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void number(const char *text) {
  union { double f; uint64_t bits; } d;
  union { float f; uint32_t bits; } f;
  union { long double f; struct { uint64_t low; uint16_t high; } bits; } l;
  char *ends[3];
  int errors[3];
  errno = 0, d.f = strtod(text, &ends[0]), errors[0] = errno;
  errno = 0, f.f = strtof(text, &ends[1]), errors[1] = errno;
  errno = 0, l.f = strtold(text, &ends[2]), errors[2] = errno;
  printf("%.40s: %016llx %08x %04x%016llx", text, (long long)d.bits, f.bits, l.bits.high, (long long)l.bits.low);
  printf(" %d %d %d, %d %d %d\n", errors[0], errors[1], errors[2], (int)(ends[0] - text), (int)(ends[1] - text), (int)(ends[2] - text));
}

static void wide(const char *text) {
  wchar_t copy[80], *end;
  mbstowcs(copy, text, 80);
  errno = 0;
  double value = wcstod(copy, &end);
  printf("%.40s: %a %d %d\n", text, value, errno, (int)(end - copy));
}

static void both(const char *text) {
  char negative[80];
  snprintf(negative, sizeof negative, "-%s", text);
  number(text);
  number(negative);
  wide(text);
}

static void syntax(void) {
  static const char *const parts[] = {"", "0", "1", "x", ".", "e", "p", "+", "n", "nan", "(", ")", "in", "inf", "8", "F", " "};
  enum { N = sizeof parts / sizeof *parts };
  char text[20];
  for (int i = 1; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < (j ? N : 1); k++) {
        char *end;
        sprintf(text, "%s%s%s%s", parts[i], parts[j], parts[k], parts[(i + j + k) % N]);
        printf("%s: %a", text, strtod(text, &end));
        printf(" %d\n", (int)(end - text));
      }
}

static void lengths(void) {
  static char text[40100];
  for (int length = 1000; length < 40100; length = length * 6 + 3999) {
    for (int digit = 1; digit < 10; digit += 4) {
      memset(text, '0' + digit, length);
      text[length] = 0, number(text);
      text[1] = '.', number(text);
      sprintf(text + length, "e-%d", length / 2), number(text);
      memcpy(text, "0x.", 3), sprintf(text + length, "p-9"), number(text);
      memset(text + 3, '0', length - 3), sprintf(text + length, "1p%d", 4 * length), number(text);
      text[1] = '0', sprintf(text + length, "1e%d", length), number(text);
    }
  }
}

int main(void) {
  static const char *const texts[] = {"0x1p1024", "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7p1023", "0x1p-1074", "0x1p-1075", "0x1.8p-1075",
      "0x1p128", "0x1.ffffffp127", "0x1.fffffefp127", "0x1p-149", "0x1p-150", "0x1.8p-150", "0x1p16384", "0x1p-16445", "0x1p-16446",
      "0x1.fffffffffffffffep16383", "0x1.ffffffffffffffffp16383", "0x8a4.d047p-140", "0x100000100000008p0", "0xcc5f893a94ec6.a8ap-1074",
      "0x0.fffffffffffffp-1022", "0x0.fffffffffffff8p-1022", "0x0.ffffff8p-126", "0x0.ffffffffffffffffp-16382", "0x.8", "0x.", "0x.p1",
      "0x1234567890abcdef1234567890abcdef", "0x1p99999999999999999999", "0x1p-99999999999999999999", "0x0p99999999999999999999", "0x1.000001p0",
      "nan", "nan(0x5)", "nan(05)", "nan(0x8000000000001)", "nan(99999999999999999999999)", "nan(abc)", "nan()", "nan(0x)", "nan(5", "nan(5 )",
      "1e5000", "1e-5000", "1e99999999999999999999", "0e99999999999999999999", "1e4294967297", "1e+", "1,5", "4.9e-324", "7.0064923216240854e-46",
      "2.4703282292062327208e-324", "2.4703282292062327209e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623158e308",
      "1.7976931348623159e308", "3.4028235e38", "3.4028236e38", "1.17549435e-38", "1.1754943157898258e-38", "1.4e-45", "16777217",
      "9007199254740993", "9007199254740993.00000000000000000000000001", "18446744073709551617", "36893488147419103235", "3.6451995318824746025e-4951",
      "1.8225997659412373012e-4951", "1.18973149535723176502e4932", "1.18973149535723176509e4932", "3.36210314311209350626e-4932"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) both(texts[i]);
  syntax();
  lengths();
  return 0;
}
