// Values of a language in the bits of NaNs: numbers, small integers, pointers.
// input: 2
// alphabet: 00 01 02 03 7f 80 ff
#include "outcome.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t value;
enum { TAG_INTEGER = 0xfff9, TAG_TEXT = 0xfffa };
static value number(double d) {
  value v;
  memcpy(&v, &d, 8);
  return d == d ? v : 0x7ff8000000000000;
}
static value integer(int32_t i) { return (value)TAG_INTEGER << 48 | (uint32_t)i; }
static value text(const char *t) { return (value)TAG_TEXT << 48 | (uintptr_t)t; }
static int tag(value v) { return (int)(v >> 48); }
static double as_number(value v) {
  double d;
  if (tag(v) == TAG_INTEGER) return (int32_t)v;
  memcpy(&d, &v, 8);
  return d;
}
static const char *as_text(value v) { return (const char *)(uintptr_t)(v & 0xffffffffffff); }
static value make(unsigned char in) {
  if (in == 0) return text("zero");
  if (in == 1) return number(NAN);
  if (in == 2) return number(-2.5);
  if (in == 3) return text("3");
  return integer((int8_t)in);
}

int main(void) {
  unsigned char in[2];
  take(in, 2);
  value a = make(in[0]), b = make(in[1]);
  if (tag(a) == TAG_TEXT || tag(b) == TAG_TEXT) {
    if (tag(a) != tag(b)) return 1;
    return strcmp(as_text(a), as_text(b)) == 0 ? 2 : 3;
  }
  double sum = as_number(a) + as_number(b);
  if (sum != sum) return 4;
  if (tag(a) == TAG_INTEGER && tag(b) == TAG_INTEGER) return sum < 0 ? 5 : sum > 100 ? 6 : 7;
  return sum < 0 ? 8 : 9;
}
