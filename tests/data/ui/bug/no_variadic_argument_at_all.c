// expect: bug ptr line 8 "memory error: out of bound pointer"
// expect: exits 0
#include <stdarg.h>
static long double add(int n, ...) {
  va_list list;
  va_start(list, n);
  long double sum = n;
  sum += va_arg(list, long double);
  va_end(list);
  return sum;
}
int main(void) { return (int)add(1); }
