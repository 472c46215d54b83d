/* _Atomic structs that no instruction of the processor can change at once (3, 24 bytes) and some that one can (8, 16): load, store, exchange,
   compare and exchange, also through pointers and in arrays; atomic arithmetic of all widths and on floats. The three bytes are compared
   with others only: their fourth is padding, which is compared too, and what the processor's stack holds there is nobody's promise. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef struct { unsigned char r, g, b; } three;
typedef struct { int x, y; } eight;
typedef struct { long lo, hi; } sixteen;
typedef struct { long a; double b; char c[8]; } large;
static _Atomic three colour;
static _Atomic eight point;
static _Atomic sixteen wide;
static _Atomic large big[3];
static void colours(void) {
  atomic_init(&colour, ((three){1, 2, 3}));
  three c = atomic_load(&colour);
  printf("%d %d %d %zu\n", c.r, c.g, c.b, sizeof colour);
  atomic_store(&colour, ((three){9, 8, 7}));
  three old = atomic_exchange(&colour, ((three){4, 5, 6})), want = {1, 1, 1};
  printf("%d%d%d\n", old.r, old.g, old.b);
  printf("%d", atomic_compare_exchange_strong(&colour, &want, ((three){0, 0, 0})));
  printf(" %d %d %d\n", want.r, want.g, want.b);
}
static void points(void) {
  eight p = {3, -4};
  atomic_store_explicit(&point, p, memory_order_release);
  eight q = atomic_load_explicit(&point, memory_order_acquire), r;
  do { r = q; r.x += r.y; r.y *= 2; } while (!atomic_compare_exchange_weak(&point, &q, r));
  q = point;
  printf("%d %d\n", q.x, q.y);
}
static void wides(void) {
  sixteen w = {1l << 62, -5};
  wide = w;
  sixteen old = atomic_exchange(&wide, ((sixteen){7, 8}));
  printf("%ld %ld\n", old.lo, old.hi);
  sixteen want = {7, 9};
  int done = atomic_compare_exchange_strong(&wide, &want, w);
  printf("%d %ld %ld\n", done, want.lo, want.hi);
  done = atomic_compare_exchange_strong(&wide, &want, w);
  want = wide;
  printf("%d %ld %ld\n", done, want.lo, want.hi);
}
static void larges(_Atomic large *place) {
  large l = {5, 2.5, "abcdefg"};
  for (int i = 0; i < 3; i++) { l.a *= 3; l.b /= 2; l.c[i] = 'A' + i; atomic_store(place + i, l); }
  large m = atomic_exchange(place + 1, l);
  printf("%ld %g %s\n", m.a, m.b, m.c);
  m = atomic_load(place + 1);
  printf("%ld %g %s\n", m.a, m.b, m.c);
  l.a = 1;
  printf("%d ", atomic_compare_exchange_strong(place, &l, m));
  printf("%ld %g %s\n", l.a, l.b, l.c);
  printf("%d\n", atomic_compare_exchange_strong(place, &l, m));
}
#define ALL(type, start) do { _Atomic type v = (type)(start); \
  long long a = v++, b = --v, c = (v += 7), d = (v -= 100), e = (v *= 3), f = (v |= 0x55), g = (v &= 0x3c3c), h = (v ^= -1), i = (v <<= 1), j = (v /= 3), k = (v %= 1000); \
  printf("%s %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld\n", #type, a, b, c, d, e, f, g, h, i, j, k); } while (0)
static void arithmetic(void) {
  ALL(signed char, 127); ALL(unsigned char, 255); ALL(short, -32768); ALL(unsigned short, 1); ALL(int, 2000000000 / 7); ALL(unsigned, -1); ALL(long, 1l << 55); ALL(unsigned long, -1l);
  _Atomic double d = 1.5; d += 2.25; d *= -3; printf("%g %g\n", d--, d);
  _Atomic float f = 16777216; f += 1.0f; f -= 3.0f; printf("%.9g\n", f);
  _Atomic _Bool b = 0; b |= 1; printf("%d", b); b ^= 1; printf("%d", b); b++; printf("%d\n", b);
  int array[5] = {1, 2, 3, 4, 5}; int *_Atomic p = array; p = p + 3; p--; printf("%d ", *p++); printf("%d\n", *p);
  _Atomic __int128 w = 1; w = w << 100; w = w + 12345; w = w - ((__int128)1 << 99); printf("%lx %lx\n", (long)(w >> 64), (long)w);
  atomic_flag flag = ATOMIC_FLAG_INIT; printf("%d", atomic_flag_test_and_set(&flag)); printf("%d", atomic_flag_test_and_set(&flag)); atomic_flag_clear(&flag); printf("%d\n", atomic_flag_test_and_set(&flag));
  int plain = 5; printf("%d ", __atomic_fetch_nand(&plain, 4, __ATOMIC_RELAXED)); printf("%d ", plain);
  printf("%d ", __sync_fetch_and_add(&plain, 9)); printf("%d ", __sync_bool_compare_and_swap(&plain, 1, 2)); printf("%d ", __sync_val_compare_and_swap(&plain, plain, 77)); printf("%d ", __sync_lock_test_and_set(&plain, 3));
  __sync_lock_release(&plain); __sync_synchronize(); atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acq_rel); printf("%d\n", plain);
  printf("%d %d\n", (int)atomic_is_lock_free(&plain), (int)__atomic_is_lock_free(sizeof(three), 0));
  unsigned u = 10; printf("%u ", __atomic_fetch_min(&u, 3u, __ATOMIC_SEQ_CST)); printf("%u ", __atomic_fetch_max(&u, 300u, __ATOMIC_SEQ_CST)); printf("%u\n", u);
}
int main(void) { colours(); points(); wides(); larges(big); arithmetic(); return 0; }
