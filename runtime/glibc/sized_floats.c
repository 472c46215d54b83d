/* Functions of the floating-point types with a size in their names, by the functions of float (_Float32), double
 * (_Float64 and _Float32x) and long double (_Float64x). _Float128 has none: a library of the compiler computes it.
 * Bessel functions have none for long double in musl. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <wchar.h>

#define EACH(shape, name) shape(name##f32, float, name##f) shape(name##f64, double, name) shape(name##f32x, double, name) \
	shape(name##f64x, long double, name##l)
#define EACH_TO_TEXT(shape, name) shape(name##f32, float, name##f) shape(name##f64, double, name##d) \
	shape(name##f32x, double, name##d) shape(name##f64x, long double, name##l)

/* Shapes of functions: r stands for the type. */
#define OF_ONE(to, r, from) r to(r x) { return from(x); }
#define OF_TWO(to, r, from) r to(r x, r y) { return from(x, y); }
#define OF_THREE(to, r, from) r to(r x, r y, r z) { return from(x, y, z); }
#define WITH_INT(to, r, from) r to(r x, int n) { return from(x, n); }
#define WITH_LONG(to, r, from) r to(r x, long n) { return from(x, n); }
#define INTO_INT(to, r, from) r to(r x, int *n) { return from(x, n); }
#define INTO_PART(to, r, from) r to(r x, r *part) { return from(x, part); }
#define INTO_QUOTIENT(to, r, from) r to(r x, r y, int *n) { return from(x, y, n); }
#define INTO_BOTH(to, r, from) void to(r x, r *sine, r *cosine) { from(x, sine, cosine); }
#define GIVES_INT(to, r, from) int to(r x) { return from(x); }
#define GIVES_LONG(to, r, from) long to(r x) { return from(x); }
#define GIVES_LONG_LONG(to, r, from) long long to(r x) { return from(x); }
#define FROM_TAG(to, r, from) r to(const char *tag) { return from(tag); }
#define OF_COMPLEX(to, r, from) r _Complex to(r _Complex z) { return from(z); }
#define OF_TWO_COMPLEX(to, r, from) r _Complex to(r _Complex z, r _Complex w) { return from(z, w); }
#define PART_OF_COMPLEX(to, r, from) r to(r _Complex z) { return from(z); }
#define POINTED(to, r, from) int to(const r *x, const r *y) { return from(x, y); }
#define PAYLOAD(to, r, from) r to(const r *x) { return from(x); }
#define SET_PAYLOAD(to, r, from) int to(r *to_set, r payload) { return from(to_set, payload); }
#define CANONICAL(to, r, from) int to(r *to_set, const r *x) { return from(to_set, x); }
#define TO_TEXT(to, r, from) int to(char *text, size_t size, const char *format, r x) { return from(text, size, format, x); }

#define DECLARED(shape, name) shape(name##f, float) shape(name, double) shape(name##l, long double)
#define LIKE_FMAXIMUM(name, r) r name(r, r);
#define LIKE_TOTALORDER(name, r) int name(const r *, const r *);
#define LIKE_GETPAYLOAD(name, r) r name(const r *);
#define LIKE_SETPAYLOAD(name, r) int name(r *, r);
#define LIKE_CANONICALIZE(name, r) int name(r *, const r *);
#define LIKE_LLOGB(name, r) long name(r);
#define LIKE_EXP10(name, r) r name(r);
#define LIKE_CLOG10(name, r) r _Complex name(r _Complex);

#define OF_TWO_OF_C23(row) \
	row(fmaximum) row(fmaximum_mag) row(fmaximum_mag_num) row(fmaximum_num) row(fmaxmag) \
	row(fminimum) row(fminimum_mag) row(fminimum_mag_num) row(fminimum_num) row(fminmag)
#define DECLARED_FMAXIMUM(name) DECLARED(LIKE_FMAXIMUM, name)
#define EACH_FMAXIMUM(name) EACH(OF_TWO, name)
OF_TWO_OF_C23(DECLARED_FMAXIMUM)
OF_TWO_OF_C23(EACH_FMAXIMUM)

DECLARED(LIKE_TOTALORDER, totalorder) DECLARED(LIKE_TOTALORDER, totalordermag)
EACH(POINTED, totalorder) EACH(POINTED, totalordermag)
DECLARED(LIKE_GETPAYLOAD, getpayload) DECLARED(LIKE_SETPAYLOAD, setpayload) DECLARED(LIKE_SETPAYLOAD, setpayloadsig)
EACH(PAYLOAD, getpayload) EACH(SET_PAYLOAD, setpayload) EACH(SET_PAYLOAD, setpayloadsig)
DECLARED(LIKE_CANONICALIZE, canonicalize)
EACH(CANONICAL, canonicalize)
DECLARED(LIKE_LLOGB, llogb)
EACH(GIVES_LONG, llogb)
DECLARED(LIKE_EXP10, nextup) DECLARED(LIKE_EXP10, nextdown) DECLARED(LIKE_EXP10, roundeven) DECLARED(LIKE_EXP10, exp10)
DECLARED(LIKE_CLOG10, clog10)
long double lgammal_r(long double, int *);
int strfromf(char *, size_t, const char *, float);
int strfromd(char *, size_t, const char *, double);
int strfroml(char *, size_t, const char *, long double);

EACH(OF_ONE, acos) EACH(OF_ONE, acosh) EACH(OF_ONE, asin) EACH(OF_ONE, asinh) EACH(OF_ONE, atan) EACH(OF_ONE, atanh)
EACH(OF_ONE, cbrt) EACH(OF_ONE, ceil) EACH(OF_ONE, cos) EACH(OF_ONE, cosh) EACH(OF_ONE, erf) EACH(OF_ONE, erfc) EACH(OF_ONE, exp)
EACH(OF_ONE, exp10) EACH(OF_ONE, exp2) EACH(OF_ONE, expm1) EACH(OF_ONE, fabs) EACH(OF_ONE, floor)
 EACH(OF_ONE, lgamma) EACH(OF_ONE, log) EACH(OF_ONE, log10) EACH(OF_ONE, log1p) EACH(OF_ONE, log2)
EACH(OF_ONE, logb) EACH(OF_ONE, nearbyint) EACH(OF_ONE, nextdown) EACH(OF_ONE, nextup) EACH(OF_ONE, rint) EACH(OF_ONE, round)
EACH(OF_ONE, roundeven) EACH(OF_ONE, sin) EACH(OF_ONE, sinh) EACH(OF_ONE, sqrt) EACH(OF_ONE, tan) EACH(OF_ONE, tanh)
EACH(OF_ONE, tgamma) EACH(OF_ONE, trunc)
#define NO_LONG(shape, name) shape(name##f32, float, name##f) shape(name##f64, double, name) shape(name##f32x, double, name)
#define OF_ORDER(to, r, from) r to(int n, r x) { return from(n, x); }
NO_LONG(OF_ONE, j0) NO_LONG(OF_ONE, j1) NO_LONG(OF_ONE, y0) NO_LONG(OF_ONE, y1) NO_LONG(OF_ORDER, jn) NO_LONG(OF_ORDER, yn)
EACH(OF_TWO, atan2) EACH(OF_TWO, copysign) EACH(OF_TWO, fdim) EACH(OF_TWO, fmax) EACH(OF_TWO, fmin) EACH(OF_TWO, fmod)
EACH(OF_TWO, hypot) EACH(OF_TWO, nextafter) EACH(OF_TWO, pow) EACH(OF_TWO, remainder)
EACH(OF_THREE, fma) EACH(WITH_INT, ldexp) EACH(WITH_INT, scalbn) EACH(WITH_LONG, scalbln)
EACH(INTO_INT, frexp) EACH(INTO_PART, modf) EACH(INTO_QUOTIENT, remquo) EACH(INTO_BOTH, sincos)
EACH(GIVES_INT, ilogb) EACH(GIVES_LONG, lrint) EACH(GIVES_LONG, lround) EACH(GIVES_LONG_LONG, llrint)
EACH(GIVES_LONG_LONG, llround) EACH(FROM_TAG, nan)
INTO_INT(lgammaf32_r, float, lgammaf_r) INTO_INT(lgammaf64_r, double, lgamma_r) INTO_INT(lgammaf32x_r, double, lgamma_r)
INTO_INT(lgammaf64x_r, long double, lgammal_r)

EACH(OF_COMPLEX, cacos) EACH(OF_COMPLEX, cacosh) EACH(OF_COMPLEX, casin) EACH(OF_COMPLEX, casinh) EACH(OF_COMPLEX, catan)
EACH(OF_COMPLEX, catanh) EACH(OF_COMPLEX, ccos) EACH(OF_COMPLEX, ccosh) EACH(OF_COMPLEX, cexp) EACH(OF_COMPLEX, clog)
EACH(OF_COMPLEX, clog10) EACH(OF_COMPLEX, conj) EACH(OF_COMPLEX, cproj) EACH(OF_COMPLEX, csin) EACH(OF_COMPLEX, csinh)
EACH(OF_COMPLEX, csqrt) EACH(OF_COMPLEX, ctan) EACH(OF_COMPLEX, ctanh) EACH(OF_TWO_COMPLEX, cpow)
EACH(PART_OF_COMPLEX, cabs) EACH(PART_OF_COMPLEX, carg) EACH(PART_OF_COMPLEX, cimag) EACH(PART_OF_COMPLEX, creal)

EACH_TO_TEXT(TO_TEXT, strfrom)
#define FROM_TEXT(size, r, suffix) \
	r strto##size##_l(const char *text, char **end, locale_t locale) { return strto##suffix(text, end); } \
	r wcsto##size(const wchar_t *text, wchar_t **end) { return wcsto##suffix(text, end); } \
	r wcsto##size##_l(const wchar_t *text, wchar_t **end, locale_t locale) { return wcsto##suffix(text, end); }
FROM_TEXT(f32, float, f) FROM_TEXT(f64, double, d) FROM_TEXT(f32x, double, d) FROM_TEXT(f64x, long double, ld)
