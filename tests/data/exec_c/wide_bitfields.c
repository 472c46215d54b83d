/* Bit-fields in rows of more than 128 bits, which clang loads and stores as one integer. */
#include "out.h"
#define NOINLINE __attribute__((noinline))
typedef unsigned long word;

#pragma pack(push, 1)
struct a { unsigned p : 29; int q : 30; unsigned r : 17; signed s : 27; unsigned t : 10; unsigned u : 30; int v : 13; unsigned w : 20; };
struct b { word p : 61; long q : 50; long r : 33; word s : 63; long t : 7; char end; };
struct c { short first; volatile unsigned p : 27; signed q : 31; volatile signed r : 25; unsigned s : 3; unsigned t : 30; signed u : 22; };
struct d { struct b b; signed p : 1; unsigned q : 24; int : 0; signed r : 32; unsigned s : 31; unsigned t : 32; unsigned u : 30; signed v : 15; };
union e { struct a a; struct b b; unsigned char bytes[40]; signed x : 29; };
#pragma pack(pop)
struct f { unsigned p : 29; int q : 30; unsigned r : 17; signed s : 27; unsigned t : 9; unsigned u : 31; int v : 13; unsigned w : 20; };
struct g { word p : 40; word q : 40; long r : 63; word s : 1; long t : 64; int u : 3; };

static struct a as[3] = {{1, -2, 3, -4, 5, 6, -7, 8}, {~0u, -1, ~0u, -1, ~0u, ~0u, -1, ~0u}, {0}};
static struct b bs[2] = {{0x123456789abcdefUL, -5, 77, ~0UL >> 1, -3, 'e'}};
static struct c c = {7, 100, -100, 12345, 5, 1 << 29, -99};
static struct d d;
static const struct f constant = {5, -6, 7, -8, 9, 10, -11, 12};

static NOINLINE void put_a(const struct a *x) { out(x->p); out(x->q); out(x->r); out(x->s); out(x->t); out(x->u); out(x->v); out(x->w); }
static NOINLINE void put_b(struct b x) { out(x.p); out(x.q); out(x.r); out(x.s); out(x.t); out(x.end); }
static NOINLINE void put_c(void) { out(c.first); out(c.p); out(c.q); out(c.r); out(c.s); out(c.t); out(c.u); }
static NOINLINE void put_d(struct d x) { put_b(x.b); out(x.p); out(x.q); out(x.r); out(x.s); out(x.t); out(x.u); out(x.v); }
static NOINLINE void put_f(struct f x) { out(x.p); out(x.q); out(x.r); out(x.s); out(x.t); out(x.u); out(x.v); out(x.w); }
static NOINLINE void put_g(struct g x) { out(x.p); out(x.q); out(x.r); out(x.s); out(x.t); out(x.u); }

static NOINLINE struct a next_a(struct a x, int k) {
  x.p += k; x.q -= k; x.r ^= k; x.s = x.s * 3 + k; x.t++; x.u <<= 1; x.v = ~x.v; x.w |= k;
  return x;
}
static NOINLINE struct d next_d(struct d x, int k) {
  x.b.q += k; x.p = k; x.q += x.p; x.r = -k; x.s = x.s - 1; x.t = x.t + x.r; x.u = x.t >> 3; x.v = x.u;
  return x;
}

int test_main(void) {
  for (int i = 0; i < 3; i++) put_a(&as[i]);
  put_b(bs[0]); put_b(bs[1]); put_c(); put_d(d); put_f(constant);
  for (int i = 0; i < 40; i++) {
    struct a *x = &as[i % 3];
    *x = next_a(as[(i + 1) % 3], i * 1234567);
    put_a(x);
    bs[i & 1].p ^= (word)i * 0x9e3779b97f4a7c15UL; bs[i & 1].q += x->q; bs[i & 1].r = bs[i & 1].q << 3;
    bs[i & 1].s += bs[1].p; bs[i & 1].t = i; bs[i & 1].end++;
    put_b(bs[i & 1]);
    c.p += i; c.q ^= c.p << 7; c.r -= 3 * i; c.s = i; c.t = c.t * 5 + 1; c.u = c.q; c.first--;
    put_c();
    d.b = bs[i & 1];
    d = next_d(d, i * 7 - 100);
    put_d(d);
    union e e = {as[0]};
    e.x = i - 20; e.a.w += 3;
    put_a(&e.a);
    for (int j = 0; j < (int)sizeof(struct a); j++) out(e.bytes[j]);
    struct f f = constant;
    f.q = d.q; f.s += i; f.u = f.s; f.w = f.q;
    put_f(f);
    struct g g = {d.b.p, d.b.s, x->q, i & 1, -i, i};
    g.r = g.r * 3 + g.q; g.t ^= g.p;
    put_g(g);
    if (as[0].p == as[1].p && as[0].q > as[1].q) out(1000 + i);
    if (bs[0].s < bs[1].s) out(2000 + i);
  }
  struct a local, *other = &local;
  other->p = 3; other->q = -9; other->v = 4; other->w = 5;
  out(other->p + other->q + other->v + other->w);
  return 0;
}
