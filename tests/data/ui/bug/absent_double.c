// expect: bug ptr line 8 "memory error: out of bound pointer"
// expect: exits 0
#include <stdarg.h>
static double add(int n, ...) {
  va_list list;
  va_start(list, n);
  double sum = va_arg(list, int);
  sum += va_arg(list, double);
  va_end(list);
  return sum;
}
int main(void) { return (int)add(2, 1, 2); }
