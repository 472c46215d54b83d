// Digits become a float as a parser makes it, and decide.
// run: --sym-stdin 3
// statuses: 0 1 2 3 8
#include <unistd.h>
int main(void) {
  unsigned char s[3];
  if (read(0, s, 3) != 3) return 9;
  float x = 0;
  for (int i = 0; i < 3; i++) {
    if (s[i] < '0' || s[i] > '9') return 8;
    x = x * 10 + (s[i] - '0');
  }
  x /= 8;
  if (x > 124) return 1;
  if (x == 15.25f) return 2;
  if (x * x < 2) return 3;
  return 0;
}
