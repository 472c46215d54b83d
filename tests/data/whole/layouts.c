/* Bit-fields of protocols, packed and over-aligned data, unions, structs passed and returned in registers and in memory, struct arrays. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct ip { unsigned version : 4, ihl : 4; uint8_t tos; uint16_t length; uint16_t id; unsigned flags : 3, offset : 13; uint8_t ttl, protocol; uint16_t sum; uint32_t from, to; } __attribute__((packed));
struct __attribute__((packed)) odd { char c; int i; short s; double d; char t[3]; uint64_t bits : 37; signed more : 11; };
struct zero { int a : 3; int : 0; int b : 5; unsigned long long : 0; _Bool flag : 1; };
struct wide { unsigned long a : 63, b : 2, c : 60; signed long d : 33; unsigned e : 31; };
struct aligned { char c; _Alignas(64) int i; char end; }; struct page { char c __attribute__((aligned(4096))); };
#pragma pack(push, 2)
struct two { char c; long l; int i; };
#pragma pack(pop)
struct __attribute__((aligned(2), packed)) mixed { char a; uint32_t b; };
enum small { A = 1, B = 300 } __attribute__((packed));
union value { double d; uint64_t u; struct { uint32_t low, high; }; unsigned char bytes[8]; struct { uint64_t mantissa : 52, exponent : 11, sign : 1; }; };
static void dump(const char *name, const void *p, size_t n) { const unsigned char *b = p; unsigned h = 0; printf("%s %zu ", name, n); for (size_t i = 0; i < n; i++) { h = h * 31 + b[i]; if (i < 48) printf("%02x", b[i]); } printf(" %x\n", h); }
/* Every class of argument of the ABI. */
typedef struct { char c[3]; } c3; typedef struct { float x, y, z; } f3; typedef struct { double d; int i; } di; typedef struct { long a, b; } ll; typedef struct { long a, b, c; } lll; typedef struct { float f; int i; } fi; typedef struct { long double l; } ld; typedef struct { char c; short s; int i; long l; } csil; typedef struct { _Complex double z; } cd; typedef struct { f3 v[2]; } f32; typedef struct { int a[7]; } i7; typedef struct { c3 a; c3 b; c3 c; } c9; typedef struct { __int128 w; } w16; typedef struct {} nothing;
static __attribute__((noinline)) c3 m_c3(c3 v, int k) { v.c[1] += k; return v; } static __attribute__((noinline)) f3 m_f3(f3 v, f3 w) { v.x += w.z; v.z *= w.x; return v; } static __attribute__((noinline)) di m_di(int k, di v) { v.d /= k; v.i -= k; return v; } static __attribute__((noinline)) ll m_ll(ll v) { return (ll){v.b, v.a}; }
static __attribute__((noinline)) lll m_lll(lll v, long k) { v.c += k * v.a; return v; } static __attribute__((noinline)) fi m_fi(fi v) { v.f += v.i; return v; } static __attribute__((noinline)) ld m_ld(ld v) { v.l /= 3; return v; } static __attribute__((noinline)) csil m_csil(csil v) { v.l += v.c + v.s + v.i; return v; } static __attribute__((noinline)) cd m_cd(cd v) { v.z *= v.z; return v; }
static __attribute__((noinline)) f32 m_f32(f32 v) { v.v[1].y = v.v[0].x; return v; } static __attribute__((noinline)) i7 m_i7(i7 v, int k) { v.a[k] = 99; return v; } static __attribute__((noinline)) c9 m_c9(c9 v) { c3 t = v.a; v.a = v.c; v.c = t; return v; } static __attribute__((noinline)) w16 m_w16(char p, w16 v) { v.w *= p; return v; } static __attribute__((noinline)) nothing m_nothing(nothing n, int i) { (void)i; return n; }
static __attribute__((noinline)) long many(ll a, di b, fi c, lll d, c3 e, ll f, csil g, ll h, double i, float j, w16 k, ld l, int m) { return a.a + b.i + (long)c.f + d.c + e.c[2] + f.b + g.l + h.a + (long)i + (long)j + (long)k.w + (long)l.l + m; }
static c9 (*volatile through_pointer)(c9) = m_c9;
static void calls(void) {
  c3 a = m_c3((c3){{1, 2, 3}}, 5); f3 b = m_f3((f3){1, 2, 3}, (f3){4, 5, 6}); di c = m_di(4, (di){10, 20}); ll d = m_ll((ll){1, 2}); lll e = m_lll((lll){1, 2, 3}, 7); fi f = m_fi((fi){1.5f, 3}); ld g = m_ld((ld){10}); csil h = m_csil((csil){1, 2, 3, 4}); cd i = m_cd((cd){1.0 + 2.0i}); f32 j = m_f32((f32){{{1, 2, 3}, {4, 5, 6}}}); i7 k = m_i7((i7){{0, 1, 2, 3, 4, 5, 6}}, 3); c9 l = through_pointer((c9){{"ab"}, {"cd"}, {"ef"}}); w16 m = m_w16(7, (w16){(__int128)1 << 70 | 5}); m_nothing((nothing){}, 1);
  printf("%d %g %g %g %d %ld %ld %g\n", a.c[1], b.x, b.z, c.d, c.i, d.a, e.c, f.f); printf("%Lg %ld %g %g %g %d %s %lx\n", g.l, h.l, __real__ i.z, __imag__ i.z, j.v[1].y, k.a[3], l.a.c, (long)(m.w >> 64));
  printf("%ld\n", many(d, c, f, e, a, d, h, d, 2.5, 3.5f, (w16){100}, g, 1000));
}
int main(void) {
  struct ip p; memset(&p, 0, sizeof p); p.version = 4; p.ihl = 5; p.length = 0x1234; p.flags = 5; p.offset = 0x1fff; p.offset -= 3; p.ttl--; p.to = 0x7f000001; p.flags ^= 7; dump("ip", &p, sizeof p);
  struct odd o; memset(&o, 0xaa, sizeof o); o.i = -2; o.d = 1.5; o.bits = 0x1fffffffff; o.bits += 2; o.more = -1000; o.more -= 100; dump("odd", &o, sizeof o); printf("%d %d %lu %d\n", o.i, o.s, (unsigned long)o.bits, o.more); int *inside = (int *)((char *)&o + offsetof(struct odd, i)); memcpy(&o.i, "wxyz", 4); printf("%x\n", o.i); (void)inside;
  struct zero z; memset(&z, 0, sizeof z); z.a = 3; z.b = -7; z.flag = 256 != 0; z.a++; dump("zero", &z, sizeof z); printf("%d %d %d\n", z.a, z.b, z.flag);
  struct wide w; memset(&w, 0, sizeof w); w.a = ~0ul; w.b = 5; w.c = w.a >> 7; w.d = -12345678901l; w.e = w.b; w.c *= 3; dump("wide", &w, sizeof w); printf("%lx %lx %ld %d\n", (long)w.a, (long)w.c, (long)w.d, w.d < 0);
  struct aligned al[2] = {{1, 2, 3}, {4, 5, 6}}; static struct page pages[2]; printf("%zu %zu %d %d\n", sizeof al, offsetof(struct aligned, end), (int)((uintptr_t)&al[1].i % 64), (int)((uintptr_t)&pages[1] % 4096));
  struct two t = {1, 2, 3}; dump("two", &t.l, 8); printf("%zu %zu %zu %zu\n", sizeof t, offsetof(struct two, i), sizeof(struct mixed), sizeof(enum small)); struct mixed mx[3] = {{1, 2}, {3, 4}, {5, 6}}; unsigned sum = 0; for (int i = 0; i < 3; i++) sum += mx[i].b; printf("%u %d\n", sum, B);
  union value v = {.d = -0.15625}; printf("%d %d %lx %x %x\n", (int)v.sign, (int)v.exponent, (unsigned long)v.mantissa, v.low, v.high); v.exponent += 3; v.sign = 0; printf("%g\n", v.d); v.bytes[7] |= 0x80; printf("%g\n", v.d);
  void *big = aligned_alloc(256, 512), *other; posix_memalign(&other, 1024, 10); printf("%d %d\n", (int)((uintptr_t)big % 256), (int)((uintptr_t)other % 1024)); free(big), free(other);
  calls();
  return 0;
}
