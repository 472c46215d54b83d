// expect: bug ptr line 11 "memory error: out of bound pointer"
// expect: exits 0
// The caller passes fewer arguments than are read.
#include <klee/klee.h>
#include <stdarg.h>
static int add(int n, ...) {
  va_list list;
  int sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}
int main(void) { return add(3, 1, 2); }
