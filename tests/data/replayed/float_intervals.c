// Comparisons of a symbolic double with constants, ordered and unordered.
// run: --sym-stdin 8
// statuses: 0 1 2 3 4 5 6
#include <unistd.h>
int main(void) {
  double x;
  if (read(0, &x, sizeof x) != sizeof x) return 9;
  if (x < -1e300) {
    if (x - x == 0) return 0;
    return 1;
  }
  if (!(x >= -2.5)) {
    if (x == x) return 2;
    return 3;
  }
  if (x == 0) {
    if (1 / x < 0) return 4;
    return 5;
  }
  return 6;
}
