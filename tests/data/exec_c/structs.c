#include "out.h"
struct small { int a, b; };
struct pair { long a; double b; };
struct big { long v[6]; char c; short s; };
struct bits { unsigned a : 3; int b : 5; unsigned long c : 40; unsigned d : 1; signed e : 7; };
union pun { float f; unsigned u; unsigned char bytes[4]; };
struct nested { struct small s; struct { char x; struct big b; } in; };
static struct small swap(struct small s) { struct small r = {s.b, s.a}; return r; }
static struct pair grow(struct pair p, int k) { p.a *= k; p.b += k; return p; }
static struct big change(struct big b, int k) { b.v[k] += k; b.c ^= k; b.s -= k; return b; }
static long sum(struct big b) { long s = b.c + b.s; for (int i = 0; i < 6; i++) s += b.v[i]; b.v[0] = 0; return s; }
static struct nested table[3] = {{{1, 2}, {3, {{4, 5, 6, 7, 8, 9}, 10, 11}}}, {{-1, -2}, {-3, {{-4}, 1, 2}}}};
static struct small *pointers[] = {&table[0].s, &table[1].s, 0, &table[2].s};
static const char *const words[] = {"alpha", "beta", "gamma"};
int test_main(void) {
  struct small s = swap((struct small){3, 9});
  out(s.a); out(s.b);
  struct pair p = grow((struct pair){5, 2.5}, 4);
  out(p.a); out((long)(p.b * 100));
  struct big b = {{1, 2, 3, 4, 5, 6}, 'x', -7};
  for (int i = 0; i < 6; i++) b = change(b, i);
  out(sum(b)); out(sum(b)); out(b.v[0]);
  struct bits f = {5, -3, 0x123456789aUL, 1, -64};
  f.a += 5; f.b -= 9; f.c ^= 0xffff; f.e += 100;
  out(f.a); out(f.b); out(f.c); out(f.d); out(f.e); out(sizeof f);
  union pun u; u.f = 3.14159f; out(u.u); u.bytes[2] = 7; out(u.u);
  struct nested n = table[0]; n.in.b.v[3] = 77; table[2] = n;
  out(table[2].in.b.v[3]); out(table[0].in.b.v[3]);
  for (int i = 0; i < 4; i++) out(pointers[i] ? pointers[i]->a + 1000 : 0);
  unsigned long h = 5381;
  for (int i = 0; i < 3; i++) for (const char *c = words[i]; *c; c++) h = h * 33 + *c;
  out(h);
  out((char *)&table[1].in.b.c - (char *)&table[0]);
  struct { char c; long l __attribute__((packed)); } packed = {1, 0x0102030405060708};
  out(packed.l); out(sizeof packed);
  static int grid[7][5];
  for (int i = 0; i < 7; i++) for (int j = 0; j < 5; j++) grid[i][j] = i * j - 3;
  int (*row)[5] = &grid[4]; out((*row)[3]); out(row[-2][4]); out(&grid[6][4] - &grid[0][0]);
  return (int)(h & 0x7f);
}
