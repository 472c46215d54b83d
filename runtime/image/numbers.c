/* Functions of numbers that the code generator calls, or makes of these very calls, so that their bodies must be
 * instructions. */

/* The engine computes remainders in one step. */
long double fmodl(long double x, long double y) {
  unsigned short status;
  do __asm__("fprem\n\tfnstsw %1" : "+t"(x), "=a"(status) : "u"(y) : "cc");
  while (status & 0x400);
  return x;
}
double fmod(double x, double y) { return (double)fmodl(x, y); }
float fmodf(float x, float y) { return (float)fmodl(x, y); }

/* mode: 9 down, 10 up, 11 to zero, 4 to nearest even (the numbers of roundsd); control: the same for the x87 unit. */
#define ROUNDING(name, mode, control) \
  __attribute__((target("sse4.1"))) double name(double x) { __asm__("roundsd $" #mode ",%0,%0" : "+x"(x)); return x; } \
  __attribute__((target("sse4.1"))) float name##f(float x) { __asm__("roundss $" #mode ",%0,%0" : "+x"(x)); return x; } \
  long double name##l(long double x) { \
    unsigned short old, new; \
    __asm__ volatile("fnstcw %0" : "=m"(old)); \
    new = (old & ~0xc00) | control; \
    __asm__ volatile("fldcw %1\n\tfrndint\n\tfldcw %2" : "+t"(x) : "m"(new), "m"(old)); \
    return x; \
  }
ROUNDING(floor, 9, 0x400)
ROUNDING(ceil, 10, 0x800)
ROUNDING(trunc, 11, 0xc00)
ROUNDING(rint, 4, 0)
ROUNDING(nearbyint, 4, 0)
