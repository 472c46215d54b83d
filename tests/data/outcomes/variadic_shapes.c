// Arguments of every shape in an order that the input gives, all of them passed.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07
#include "outcome.h"
#include <stdarg.h>

struct pair {
  long a, b;
};
struct mixed {
  double d;
  int i;
};
struct large {
  char text[40];
};

static int total(const char *kinds, ...) {
  va_list list, copy;
  int sum = 0;
  va_start(list, kinds);
  va_copy(copy, list);
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case 'i': sum += va_arg(list, int); break;
    case 'd': sum += (int)va_arg(list, double); break;
    case 'p': sum += *va_arg(list, int *); break;
    case 's': sum += (int)va_arg(list, struct pair).b; break;
    case 'm': sum += va_arg(list, struct mixed).i; break;
    case 'l': sum += va_arg(list, struct large).text[39]; break;
    case 'e': sum += (int)va_arg(list, long double); break;
    }
  }
  va_end(list);
  sum = sum * 2 + va_arg(copy, int);
  va_end(copy);
  return sum;
}

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  int i = in[0] & 3, j = in[1] & 3;
  struct pair pair = {1, j};
  struct mixed mixed = {1.5, i};
  struct large large = {{0}};
  large.text[39] = j;
  switch (in[2]) {
  case 0: return each(total("ii", i, j));
  case 1: return each(total("idpdi", i, 2.5, &j, 1.0, 3));
  case 2: return each(total("iiiiiiiid", i, 1, 1, 1, 1, 1, 1, j, 7.5));
  case 3: return each(total("isisis", i, pair, j, pair, 2, pair));
  case 4: return each(total("imlm", i, mixed, large, mixed));
  case 5: return each(total("iddddddddddi", i, 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., j));
  case 6: return each(total("ieie", i, (long double)j, 2, 3.0L));
  default: return each(total("i", i, j, 2.5, &j, pair));
  }
}
