/* One symbolic input of two bytes; each function explores something and returns what it found. */
unsigned char input[2];
#define A input[0]
#define B input[1]

int branches(void) {
  int r = 0;
  if (A > 100) r |= 1;
  if (A == B) r |= 2;
  if ((A ^ B) == 0x5a) r |= 4;
  return r;
}
int loop(void) {
  int n = 0;
  for (int i = 0; i < (A & 7); i++) n += 2;
  return n;
}
int switches(void) {
  switch (A) {
  case 'a': case 'b': return 1;
  case 'c': return 2;
  case 0: if (B) return 3; return 4;
  default: return 5;
  }
}
static const short table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
int table_read(void) { if (table[A & 15] == 9) return 1; return 0; }
int divide(void) { return 200 / A; }
int shift(void) { return (1 << A) & 0x7f; }
int bounds(void) { return table[A]; }
int null(void) { char *p = A == 7 ? 0 : (char *)input; return *p != 0; }
static int buffer[8];
int write(void) { buffer[A & 7] = 5; buffer[B & 7] += 3; return buffer[3]; }
static int one(void) { return 11; }
static int two(void) { return 22; }
static int three(void) { return 33; }
static int (*const functions[])(void) = {one, two, three, two};
int indirect(void) { return functions[A & 3](); }
static int x1 = 10, x2 = 20, x3[4] = {30, 31, 32, 33};
int pointers(void) { int *p = A < 50 ? &x1 : A < 60 ? &x2 : x3 + (B & 3); return *p; }
int copy(void) {
  char from[8] = "abcdefg", to[8] = {0};
  __builtin_memcpy(to, from, A & 7);
  int n = 0;
  while (to[n]) n++;
  return n;
}
int wide(void) { __int128 v = (__int128)A << 70 | B; if (v > ((__int128)9 << 70)) { if ((v >> 70) == 200) return 1; return 0; } return 2; }
#pragma pack(push, 1)
static struct { unsigned p : 29; int q : 30; unsigned r : 17; signed s : 27; unsigned t : 10; unsigned u : 30; int v : 13; unsigned w : 20; } row;
#pragma pack(pop)
int wide_fields(void) {
  row.r = A * 300; row.q = A - 200; row.s = B; row.v = B - 128; row.t = 9;
  row.w = row.s ^ row.v;
  if (row.q >= 0) { if (row.r == 255 * 300) return 1; return 2; }
  if (row.v == -1) { if (row.w == (127 ^ 0xfffff)) return 3; return 4; }
  if (row.t != 9) return 5;
  return 6;
}
int wide_numbers(void) {
  unsigned _BitInt(300) x = A, y = B;
  x = x << 150 | y << 250; y = x * (y + 1);
  if (x + -((unsigned _BitInt(300))9 << 150) < x) { if (A < 9 && B == 0) return 1; if (B > 200) return 2; }
  if (y >> A == 0) return 3;
  if ((_BitInt(300))(y << 42) < 0) return 4;
  return 5;
}
int overflow(void) { signed char r; if (__builtin_add_overflow((signed char)A, (signed char)B, &r)) return 1; if (r == 77) return 2; return 0; }
int float_(void) { double d = A; if (d > 3.5) return 1; return 0; }
int roots(void) {
  float b = (signed char)A, c = (signed char)B, d = b * b - 4 * c;
  if (d > 0) return 2;
  if (d == 0) return 1;
  return 0;
}
int special(void) {
  union { unsigned u; float f; } v = {(unsigned)A << 24 | (unsigned)B << 16};
  if (v.f != v.f) return 1;
  if (v.f > 3.4028234e38f) return 2;
  if (v.f < -3.4028234e38f) return 3;
  if (v.f == 0) return 4;
  if (v.f > 0 && v.f < 1.1e-38f) return 5;
  if (v.f + 1 == 1) return 6;
  return 0;
}
int conversions(void) {
  double d = A * 1e8 + B;
  if ((int)d == (int)0x80000000) return 1;
  if ((unsigned char)(d / 256) == 225) return 2;
  if ((double)(float)d != d) return 3;
  if ((unsigned long)(d * 1e10) >> 63) return 4;
  return 0;
}
int extended(void) {
  long double x = A;
  x = x / 3 + B;
  if (x * 3 - 3 * B != A) return 1;
  if ((int)x == 20 && x > 20.5L) return 2;
  return 0;
}
int roundings(void) {
  double d = (signed char)A / 4.0;
  if (__builtin_floor(d) == -3) return 1;
  if (__builtin_round(d) != __builtin_rint(d)) return 2;
  if (__builtin_fabs(__builtin_trunc(d)) == 7 && __builtin_ceil(d) == 8) return 3;
  if (__builtin_copysign(2.0, d) * B == -10) return 4;
  return 0;
}
int goto_(void) { static void *labels[] = {&&l0, &&l1, &&l2}; if (A > 2) return 9; goto *labels[A]; l0: return 1; l1: return 2; l2: return 3; }
int bits(void) { if (__builtin_popcount(A) == 8) return 1; if (__builtin_ctz(A | 256) == 7) return 2; return 0; }
static char other[16], target[16];
/* A pointer moved by the distance between two pointers into another object. */
int distance(void) {
  char *end = other;
  if (A > 100) end = other + 5;
  char *p = target + (end - other);
  *p = 1;
  end = A > 50 ? other + 3 : other + 4;
  __asm__("" : "+r"(end));
  p = target + (end - other);
  *p = 2;
  return target[3] + target[4];
}
/* A choice between pointers into two objects, then an index. */
int choice(void) {
  char *base = A & 1 ? other : target;
  base[B & 15] = 1;
  return 0;
}
