// Decimal numbers with a point and an exponent: comparisons of what strtod makes of them, and remainders.
// run: --sym-stdin 4
// statuses: 0 1 2 3 4 5
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char s[5] = {0}, *end;
  if (read(0, s, 4) != 4) return 9;
  for (int i = 0; i < 4; i++)
    if (s[i] != '.' && s[i] != 'e' && s[i] != '-' && (s[i] < '0' || s[i] > '9')) return 0;
  double x = strtod(s, &end);
  if (end != s + 4) return 0;
  if (x == 0.7) return 1;
  if (x < -0.24 && x > -0.27) return 2;
  if (x > 4e17) return 3;
  if (fmod(x, 4.0) == 3.0 && x > 20) return 4;
  return 5;
}
