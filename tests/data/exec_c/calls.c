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
/* Where each argument lies: va_arg branches on the offsets, which coreutils' own code does too. */
static void offsets(va_list ap) { out(((unsigned *)ap)[0]); out(((unsigned *)ap)[1]); }
static void one_named(int a, ...) { va_list ap; va_start(ap, a); offsets(ap); out(va_arg(ap, long)); offsets(ap);
  out((long)(va_arg(ap, double) * 8)); offsets(ap); out((long)va_arg(ap, long double)); offsets(ap); va_end(ap); }
static struct blob many_named(struct blob big, int a, double b, long c, float d, struct dd e, char *f, int g, int h, ...) {
  va_list ap; va_start(ap, h); offsets(ap); out(va_arg(ap, int)); out(va_arg(ap, int)); out((long)va_arg(ap, double));
  offsets(ap); va_end(ap); big.a[1] = a + (long)b + c + (long)d + (long)e.b + *f + g + h; return big; }
struct mixed { long a; double b; }; struct four { float f[4]; }; struct packed3 { char c[3]; };
static void structures(int n, ...) { va_list ap, copy; va_start(ap, n);
  for (int i = 0; i < n; i++) {
    struct mixed m = va_arg(ap, struct mixed); out(m.a); out((long)(m.b * 4)); offsets(ap);
    va_copy(copy, ap);
    struct four f = va_arg(ap, struct four); out((long)(f.f[0] + f.f[1] * 10 + f.f[2] * 100 + f.f[3] * 1000)); offsets(ap);
    struct packed3 p = va_arg(ap, struct packed3); out(p.c[0] + p.c[1] * 8 + p.c[2] * 64); offsets(ap);
    f = va_arg(copy, struct four); out((long)f.f[3]); offsets(copy); va_end(copy);
  }
  va_end(ap); }
static long relay(int n, ...) { va_list ap; va_start(ap, n); long first = va_arg(ap, long), s = sum(3, first, vsum(n, ap), first); offsets(ap); va_end(ap); return s; }
static void wide(int n, ...) { va_list ap; va_start(ap, n); while (n--) { out(va_arg(ap, int)); __int128 w = va_arg(ap, __int128); out((long)(w >> 64)); out((long)w); offsets(ap); } va_end(ap); }
static void argument_places(void) {
  struct blob b = {{1, 2, 3, 4, 5}}; struct mixed m = {7, 1.25}; struct four f = {{1, 2, 3, 4}}; struct packed3 p = {{1, 2, 3}}; char c = 9;
  one_named(1, 2L, 3.5, 4.0L);
  out(many_named(b, 1, 2, 3, 4, (struct dd){5, 6}, &c, 7, 8, 10, 11, 12.0).a[1]);
  structures(4, m, f, p, m, f, p, m, f, p, m, f, p);
  out(relay(7, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
  wide(1, 5, (__int128)6 << 64 | 7);
}
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
/* Calls that need no frame, of one block: and the same with more to them. */
#define LEAF static __attribute__((noinline))
static unsigned table[5] = {3, 1, 4, 1, 5};
LEAF long leaf_mix(long a, int b) { return a * 31 + (b ^ a >> 3); }
LEAF unsigned leaf_load(const unsigned *p, int i) { return p[i] + 1; }
LEAF double leaf_float(double a, int b) { return a / (b + 0.5); }
LEAF int leaf_nothing(void) { return 7; }
LEAF _Bool leaf_narrow(signed char a, unsigned short b) { return a % (b + 1) < -1; }
LEAF void leaf_store(unsigned *p, unsigned v) { *p = v; }
LEAF long leaf_branch(long a) { return a & 1 ? leaf_mix(a, 3) : a; }
static void leaves(void) {
  long s = 1;
  for (int i = 0; i < 50; i++) {
    s = leaf_mix(s, i) + leaf_load(table, i % 5) + leaf_nothing() + leaf_narrow((signed char)(i * 5), (unsigned short)i);
    leaf_store(&table[i % 3], (unsigned)s);
    s += (long)leaf_float((double)(s & 1023), i) + leaf_branch(s);
    out(s);
  }
}
int test_main(void) {
  out(ack(2, 9)); out(even(200)); out(odd(77));
  for (int i = 0; i < 9; i++) out(pick(i)(i + 10, i));
  binary (*chooser)(int) = pick; out(chooser(2)(6, 7));
  int x = 99; struct blob b = {{1, 2, 3, 4, 5}};
  variadic("ildpibdlLbtDiL", -5, 1234567890123L, 2.5, &x, 8, b, 0.125, -1L, 3.25L, b, (struct two){4, 5}, (struct dd){1.5, 2}, 77, -2.5L);
  out(((long (*)())sum)(3, 10L, 20L, 12L)); out(((long (*)())sum)(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, -80L)); /* as old C calls without a prototype */
  variadic("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.);
  out(sum(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
  argument_places();
  jumps();
  leaves();
  return 0;
}
