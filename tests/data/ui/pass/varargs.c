// expect: exits 1
#include <klee/klee.h>
#include <stdarg.h>
struct pair { long a, b, c; };
static long add(int n, ...) {
  va_list list, copy;
  long sum = 0;
  va_start(list, n);
  va_copy(copy, list);
  for (int i = 0; i < n; i++) sum += va_arg(list, int) + (long)va_arg(list, double);
  struct pair p = va_arg(list, struct pair);
  klee_assert(va_arg(copy, int) == 1);
  va_end(copy);
  va_end(list);
  return sum + p.a + p.b + p.c;
}
int main(void) {
  struct pair p = {100, 200, 300};
  klee_assert(add(4, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, p) == 620);
  return 0;
}
