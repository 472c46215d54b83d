// expect: bug ptr line 10 "memory error: out of bound pointer"
// expect: exits 0
// A double that was passed does not stand in for an integer that was not.
#include <stdarg.h>
static int add(int n, ...) {
  va_list list;
  va_start(list, n);
  int sum = (int)va_arg(list, double);
  for (int i = 0; i < n; i++)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}
int main(void) { return add(3, 2.5, 1, 2); }
