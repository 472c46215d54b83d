// The real roots of x^2 + bx + c for symbolic floats.
// run: --sym-stdin 8
// statuses: 0 1 2 3
#include <unistd.h>
int main(void) {
  float in[2];
  if (read(0, in, sizeof in) != sizeof in) return 9;
  float d = in[0] * in[0] - 4 * in[1];
  if (d > 0) return 2;
  if (d == 0) return 1;
  if (d < 0) return 0;
  return 3;
}
