// Doubles to integers and back, x86's results out of range included.
// run: --sym-stdin 8
// statuses: 0 1 2 3 4 5
#include <unistd.h>
int main(void) {
  double x;
  if (read(0, &x, sizeof x) != sizeof x) return 9;
  int n = x;
  unsigned long u = x;
  if (n == -2147483647 - 1) {
    if (u == 1ul << 63) return 0;
    return 1;
  }
  if (n == 1000) return 2;
  if ((unsigned char)(x * 3) == 200) return 3;
  if ((float)x != x) return 4;
  return 5;
}
