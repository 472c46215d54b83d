// x87's long double: a symbolic short is scaled and compared.
// run: --sym-stdin 2
// statuses: 0 1 2
#include <unistd.h>
int main(void) {
  short s;
  if (read(0, &s, sizeof s) != sizeof s) return 9;
  long double x = s;
  x = x / 4 + 0.5L;
  if (x == 100.25L) return 0;
  if ((int)x > 8000) return 1;
  return 2;
}
