// A program written for CREST: its header makes variables inputs.
// expect: exits 4
// expect: statuses 0 1 2
// level: -O0
#include <crest.h>
int main(void) {
  int a;
  unsigned char b;
  short c[2] = {0, 0};
  CREST_int(a);
  CREST_unsigned_char(b);
  CREST_short(c[1]);
  if (a == 1000000) return 1;
  if (b > 7 && c[1] == -3) return 2;
  return 0;
}
