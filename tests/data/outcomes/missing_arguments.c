// Fewer arguments than are read: natively some number, whatever was there before.
// input: 1
// undefined: ptr
#include "outcome.h"
#include <stdarg.h>

static int sum(const char *kinds, ...) {
  va_list list;
  int total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    if (*kinds == 'i') total += va_arg(list, int) ? 1 : 2;
    if (*kinds == 'd') total += va_arg(list, double) > 0 ? 1 : 2;
    if (*kinds == 'p') total += va_arg(list, void *) ? 1 : 2;
  }
  va_end(list);
  return total ? 40 : 41;
}

int main(void) {
  unsigned char in;
  take(&in, 1);
  switch (in) {
  case 0: return sum("ii", 1);
  case 1: return sum("dii", 2.5, 1);
  case 2: return sum("id", 1);
  case 3: return sum("iiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8);
  case 4: return sum("p");
  case 5: return sum("dddddddddd", 1., 1., 1., 1., 1., 1., 1., 1., 1.);
  case 6: return sum("", 1, 2.5);
  case 7: return sum("i", 1, 2, 3.5);
  default: return 42;
  }
}
