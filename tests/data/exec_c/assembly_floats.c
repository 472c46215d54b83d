// Floating point in inline assembly: the x87's stack, its control word, and single numbers of SSE.
#include "out.h"
static void outd(double d) { union { double d; unsigned long u; } u = {d}; out(u.u); }
static void outf(float d) { union { float d; unsigned u; } u = {d}; out(u.u); }
static void outl(long double d) { union { long double d; unsigned long u[2]; } u; u.u[1] = 0; u.d = d; out(u.u[0]); out(u.u[1] & 0xffff); }
static long double rest(long double x, long double y) {
  unsigned short status;
  do __asm__("fprem; fnstsw %%ax" : "+t"(x), "=a"(status) : "u"(y));
  while (status & 0x400);
  return x;
}
static long rounded(long double x, unsigned short direction) {
  unsigned short old, new;
  long result;
  __asm__ volatile("fnstcw %0" : "=m"(old));
  new = (unsigned short)((old & ~0xc00) | direction);
  __asm__ volatile("fldcw %0" : : "m"(new));
  __asm__ volatile("fistpll %0" : "=m"(result) : "t"(x) : "st");
  __asm__ volatile("fldcw %0" : : "m"(old));
  return result;
}
static double by_memory(double a, float b, int c, long d, short e) {
  double result;
  __asm__ volatile(
      "fldl %1\n\tfadds %2\n\tfildl %3\n\tfmulp %%st, %%st(1)\n\tfildll %4\n\tfsubrp %%st, %%st(1)\n\t"
      "filds %5\n\tfdivrp\n\tfstpl %0"
      : "=m"(result) : "m"(a), "m"(b), "m"(c), "m"(d), "m"(e));
  return result;
}
static void order(long double a, long double b) {
  unsigned char less, same, above, strange;
  __asm__("fcomi %%st(1), %%st\n\tsetb %0\n\tsete %1\n\tseta %2\n\tsetp %3"
          : "=q"(less), "=q"(same), "=q"(above), "=q"(strange) : "t"(a), "u"(b) : "cc");
  out(less | same << 1 | above << 2 | strange << 3);
}
static void single(double a, double b, float f, long n) {
  double d = a; float g = f; long whole; int small; unsigned char less;
  __asm__("addsd %1, %0" : "+x"(d) : "x"(b)); outd(d);
  __asm__("subsd %1, %0" : "+x"(d) : "m"(a)); outd(d);
  __asm__("mulsd %1, %0" : "+x"(d) : "x"(b)); outd(d);
  __asm__("divss %1, %0" : "+x"(g) : "x"(3.0f)); outf(g);
  __asm__("sqrtsd %1, %0" : "=x"(d) : "x"(a)); if (a >= 0) outd(d);
  __asm__("sqrtss %1, %0" : "=x"(g) : "x"(f)); if (f >= 0) outf(g);
  d = a; __asm__("minsd %1, %0" : "+x"(d) : "x"(b)); outd(d);
  d = a; __asm__("maxsd %1, %0" : "+x"(d) : "x"(b)); outd(d);
  __asm__("cvtsd2si %1, %0" : "=r"(whole) : "x"(a)); out(whole);
  __asm__("cvttsd2si %1, %0" : "=r"(small) : "x"(b)); out((unsigned)small);
  __asm__("cvtss2siq %1, %0" : "=r"(whole) : "x"(f)); out(whole);
  __asm__("cvtsi2sdq %1, %0" : "=x"(d) : "r"(n)); outd(d);
  __asm__("cvtsd2ss %1, %0" : "=x"(g) : "x"(a)); outf(g);
  __asm__("cvtss2sd %1, %0" : "=x"(d) : "x"(f)); outd(d);
  __asm__("ucomisd %2, %1\n\tsetb %0" : "=q"(less) : "x"(a), "x"(b) : "cc"); out(less);
}
int test_main(void) {
  static volatile double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e10, 2.5, 3.5, -2.5, 123456.789, 1e-5};
  unsigned count = sizeof values / sizeof *values;
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; j < count; j++) {
      double a = values[i], b = values[j];
      long double x = a, y = b, low, high;
      if (y != 0) { outl(rest(x, y)); outl(rest(x * 1e30L, y)); }
      order(x, y);
      single(a, b, (float)(a + b), (long)(i * 1000003 - j * 7));
      outd(by_memory(a + 2, (float)b, (int)i + 1, (long)j - 3, (short)(i + 1)));
      __asm__("fadd %%st(1), %%st\n\tfxch" : "=t"(low), "=u"(high) : "0"(x), "1"(y)); outl(low); outl(high);
      __asm__("fsubp %%st, %%st(1)" : "=t"(low) : "0"(x), "u"(y) : "st(1)"); outl(low);
      __asm__("fsub %%st, %%st(1)" : "=t"(low), "=u"(high) : "0"(x), "1"(y)); outl(high);
      __asm__("fsubr %%st(1), %%st" : "=t"(low) : "0"(x), "u"(y)); outl(low);
      if (x != 0) { __asm__("fdivrp %%st, %%st(1)" : "=t"(low) : "0"(x), "u"(y) : "st(1)"); outl(low); }
    }
  for (unsigned i = 0; i < count; i++) {
    long double x = values[i], y;
    for (unsigned direction = 0; direction <= 0xc00; direction += 0x400) out(rounded(x, (unsigned short)direction));
    __asm__("frndint" : "=t"(y) : "0"(x)); outl(y);
    __asm__("fabs" : "=t"(y) : "0"(x)); outl(y);
    __asm__("fchs" : "=t"(y) : "0"(x)); outl(y);
    if (x >= 0) { __asm__("fsqrt" : "=t"(y) : "0"(x)); outl(y); }
    short small; int middle; long large;
    __asm__ volatile("fistps %0" : "=m"(small) : "t"(x * 100) : "st"); out((unsigned short)small);
    __asm__ volatile("fistl %0" : "=m"(middle) : "t"(x)); out((unsigned)middle);
    __asm__ volatile("fisttpll %0" : "=m"(large) : "t"(x * 3) : "st"); out(large);
    double fetched; float narrow; long double whole;
    __asm__ volatile("fldl %1\n\tfld %%st(0)\n\tfaddp\n\tfstpl %0" : "=m"(fetched) : "m"(values[i])); outd(fetched);
    __asm__ volatile("fldt %1\n\tfsts %0\n\tfstp %%st(0)" : "=m"(narrow) : "m"(x)); outf(narrow);
    __asm__ volatile("fldpi\n\tfld1\n\tfaddp %%st, %%st(1)\n\tfstpt %0" : "=m"(whole)); outl(whole);
  }
  long double constant;
  __asm__("fldl2e" : "=t"(constant)); outl(constant);
  __asm__("fldl2t" : "=t"(constant)); outl(constant);
  __asm__("fldlg2" : "=t"(constant)); outl(constant);
  __asm__("fldln2" : "=t"(constant)); outl(constant);
  __asm__("fldz" : "=t"(constant)); outl(constant);
  return 0;
}
