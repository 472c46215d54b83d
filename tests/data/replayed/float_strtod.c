// The C library's strtod over symbolic bytes: long double arithmetic on what was read.
// run: --sym-stdin 2
// statuses: 0 1 2 3
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char s[3] = {0}, *end;
  if (read(0, s, 2) != 2) return 9;
  double x = strtod(s, &end);
  if (end == s) return 0;
  if (x > 4.5) return 1;
  if (x == 0) return 2;
  return 3;
}
