// A copy with room for the bytes but not for the end: found under a symbolic size, seen natively.
// run: --sym-stdin 6
// statuses: 0 3 5
// bugs: 1
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  unsigned char in[6];
  if (read(0, in, sizeof in) != sizeof in) return 9;
  unsigned size = in[0] * 4 + in[1] % 4;
  if (size > 300 || size < 2) return 3;
  char *p = malloc(size);
  unsigned length = in[2];
  if (length > size) return 3;
  p[length] = in[3];
  free(p);
  if (length == size) return 5;
  return 0;
}
