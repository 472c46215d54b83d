#include "out.h"
#include <stdarg.h>
#include <setjmp.h>
static long ack(long m, long n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int even(unsigned n); static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int mul(int a, int b) { return a * b; }
typedef int (*binary)(int, int);
static binary ops[] = {add, sub, mul};
static binary pick(int i) { return ops[i % 3]; }
struct blob { long a[5]; }; struct two { int x, y; }; struct dd { double a, b; };
static void variadic(const char *kinds, ...) {
  va_list ap, copy; va_start(ap, kinds); va_copy(copy, ap);
  for (const char *k = kinds; *k; k++) switch (*k) {
    case 'i': out(va_arg(ap, int)); break;
    case 'l': out(va_arg(ap, long)); break;
    case 'd': out((long)(va_arg(ap, double) * 1000)); break;
    case 'L': out((long)(va_arg(ap, long double) * 1000)); break;
    case 'p': out(*va_arg(ap, int *)); break;
    case 'b': { struct blob b = va_arg(ap, struct blob); out(b.a[0] + b.a[4]); break; }
    case 't': { struct two t = va_arg(ap, struct two); out(t.x * 10 + t.y); break; }
    case 'D': { struct dd t = va_arg(ap, struct dd); out((long)(t.a * 10 + t.b)); break; }
  }
  va_end(ap); out(va_arg(copy, int)); va_end(copy);
}
static long vsum(int n, va_list ap) { long s = 0; while (n--) s += va_arg(ap, long); return s; }
static long sum(int n, ...) { va_list ap; va_start(ap, n); long s = vsum(n, ap); va_end(ap); return s; }
static jmp_buf env, inner; static int depth_reached;
static void dive(int n) { depth_reached = n; if (n == 20) longjmp(env, 7); dive(n + 1); }
static void jumps(void) {
  volatile int v = 1; int r = setjmp(env);
  out(r); out(v);
  if (r == 0) { v = 2; dive(0); }
  out(depth_reached);
  for (volatile int i = 0; i < 3; i++) { int k = setjmp(inner); out(100 + k); if (k < 3) longjmp(inner, k + 1); }
  if (setjmp(env) == 0) longjmp(env, 0); else out(55);
}
int test_main(void) {
  out(ack(2, 9)); out(even(200)); out(odd(77));
  for (int i = 0; i < 9; i++) out(pick(i)(i + 10, i));
  binary (*chooser)(int) = pick; out(chooser(2)(6, 7));
  int x = 99; struct blob b = {{1, 2, 3, 4, 5}};
  variadic("ildpibdlLbtDiL", -5, 1234567890123L, 2.5, &x, 8, b, 0.125, -1L, 3.25L, b, (struct two){4, 5}, (struct dd){1.5, 2}, 77, -2.5L);
  variadic("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.);
  out(sum(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
  jumps();
  return 0;
}
