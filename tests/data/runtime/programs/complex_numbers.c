/* <complex.h> in three widths. Functions whose last bit is open are compared in five digits. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define DOUBLES(re, im) __builtin_complex((double)(re), (double)(im))
#define FLOATS(re, im) __builtin_complex((float)(re), (float)(im))

static long double clean(long double x) { return fabsl(x) < 1e-12L ? 0 : x; }
static int digits = 5;
static void show(const char *name, long double complex z) {
  long double parts[2] = {clean(creall(z)), clean(cimagl(z))};
  printf(" %s", name);
  for (int i = 0; i < 2; i++) {
    if (isnan(parts[i])) printf(" nan");
    else printf(" %.*Lg", digits, parts[i]);
  }
}

#define ALL(of) show(#of, of(z)), show(#of "f", of##f((float complex)z)), show(#of "l", of##l((long double complex)z))
#define REAL(of) printf(" " #of " %.5g %.5g %.5Lg", of(z), of##f((float complex)z), of##l((long double complex)z))

static void one(double complex z) {
  printf("(%g %g)", creal(z), cimag(z));
  ALL(cexp), ALL(clog), ALL(csqrt), ALL(csin), ALL(ccos), ALL(ctan), ALL(csinh), ALL(ccosh), ALL(ctanh), ALL(conj), ALL(cproj);
  printf("\n ");
  ALL(casin), ALL(cacos), ALL(catan), ALL(casinh), ALL(cacosh), ALL(catanh);
  REAL(cabs), REAL(carg), REAL(creal), REAL(cimag);
  printf("\n");
}

static void two(double complex a, double complex b) {
  float complex fa = a, fb = b;
  long double complex la = a, lb = b;
  printf("(%g %g) (%g %g)", creal(a), cimag(a), creal(b), cimag(b));
  show("*", a * b), show("/", a / b), show("+", a + b), show("-", a - b), show("pow", cpow(a, b));
  show("f*", fa * fb), show("f/", fa / fb), digits = 3, show("powf", cpowf(fa, fb)), digits = 5;
  show("l*", la * lb), show("l/", la / lb), show("powl", cpowl(la, lb));
  printf(" %d%d\n", a == b, fa != fb);
}

struct pair { float complex f; double complex d; };
static struct pair swap(struct pair p, float complex add) {
  struct pair q = {(float complex)p.d + add, (double complex)p.f * 2};
  return q;
}

int main(void) {
  volatile double numbers[][2] = {{1, 2}, {-0.5, 0.25}, {3, 0.5}, {0.75, -1.5}, {-2, -3}, {0.1, 4}};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  for (int i = 0; i < COUNT; i++) one(DOUBLES(numbers[i][0], numbers[i][1]));
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) two(DOUBLES(numbers[i][0], numbers[i][1]), DOUBLES(numbers[j][0], numbers[j][1]));
  volatile double inf = INFINITY, zero = 0, nan = NAN, big = 1e200;
  double complex edges[] = {DOUBLES(inf, 1), DOUBLES(nan, inf), DOUBLES(zero, zero), DOUBLES(1, -inf), DOUBLES(big, big), DOUBLES(nan, nan), DOUBLES(1, 1)};
  enum { EDGES = sizeof edges / sizeof *edges };
  for (int i = 0; i < EDGES; i++)
    for (int j = 0; j < EDGES; j++) {
      show("*", edges[i] * edges[j]), show("/", edges[i] / edges[j]);
      printf("\n");
    }
  struct pair p = swap((struct pair){FLOATS(1, 2), DOUBLES(3, 4)}, FLOATS(10, 20));
  show("swapped", p.f), show("", p.d);
  double complex array[3] = {1, I, -2 + 3 * I}, sum = 0;
  for (int i = 0; i < 3; i++) sum += array[i] * (i + 1), array[i] = conj(array[i]);
  show("sum", sum), show("conjugate", array[2]);
  printf("\n");
  return 0;
}
