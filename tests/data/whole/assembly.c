/* Inline assembly as libraries write it: barriers, byte order, bit numbers, words of long numbers, waiting, the processor's clock and name. */
#include <stdint.h>
#include <stdio.h>
typedef uint64_t u64; typedef uint32_t u32;
static volatile u64 samples[] = {0, 1, 2, 3, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0, 0xfffffffffffffffe, 0x00000001ffffffff};
enum { COUNT = sizeof samples / sizeof *samples };
#define barrier() __asm__ __volatile__("" ::: "memory")
static inline u64 hide(u64 v) { __asm__("" : "+r"(v)); return v; }
static inline u64 copied(u64 v) { u64 r; __asm__("" : "=r"(r) : "0"(v)); return r; }
static inline void used(const void *p) { __asm__ volatile("" : : "g"(p) : "memory"); }
static inline void in_memory(u64 *p) { __asm__ volatile("" : "+m"(*p)); }
static inline double hide_double(double d) { __asm__("" : "+x"(d)); return d; }
static inline u64 swap64(u64 v) { __asm__("bswap %0" : "=r"(v) : "0"(v)); return v; }
static inline u64 swap64q(u64 v) { __asm__("bswapq %0" : "+r"(v)); return v; }
static inline u32 swap32(u32 v) { __asm__("bswap %0" : "+r"(v)); return v; }
static inline u32 swap32l(u32 v) { __asm__("bswapl %0" : "=r"(v) : "0"(v) : "cc"); return v; }
static inline uint16_t swap16(uint16_t v) { __asm__("rorw $8, %w0" : "=r"(v) : "0"(v) : "cc"); return v; }
static inline uint16_t swap16x(uint16_t v) { __asm__("xchgb %b0,%h0" : "=Q"(v) : "0"(v)); return v; }
static inline int lowest(u64 v) { u64 r; __asm__("bsfq %1,%0" : "=r"(r) : "rm"(v) : "cc"); return (int)r; }
static inline int lowest32(u32 v) { u32 r; __asm__("bsfl %1,%0" : "=r"(r) : "r"(v)); return (int)r; }
static inline int lowest_bare(u64 v) { u64 r; __asm__("bsf %1, %0" : "=r"(r) : "r"(v)); return (int)r; }
static inline int highest(u64 v) { u64 r; __asm__("bsrq %1,%0" : "=r"(r) : "rm"(v)); return (int)r; }
static inline int highest32(u32 v) { u32 r; __asm__("bsrl %1, %0" : "=r"(r) : "r"(v) : "cc"); return (int)r; }
static inline int highest_bare(u64 v) { u64 r; __asm__("bsr %1, %0" : "=r"(r) : "r"(v)); return (int)r; }
static void products(u64 a, u64 b) {
  u64 h, l;
  __asm__("mulq %3" : "=a"(l), "=d"(h) : "%0"(a), "rm"(b)); printf("%lx %lx ", h, l);
  __asm__("mulq %3" : "=a"(l), "=d"(h) : "a"(a), "r"(b) : "cc"); printf("%lx %lx ", h, l);
  __asm__("mulq %3" : "=d"(h), "=a"(l) : "a"(a), "rm"(b) : "cc"); printf("%lx %lx ", h, l);
  __asm__("mul %3" : "=a"(l), "=d"(h) : "a"(a), "r"(b)); printf("%lx %lx ", h, l);
  u64 low = a; __asm__("mulq %2" : "+a"(low), "=d"(h) : "r"(b) : "cc"); printf("%lx %lx ", h, low);
  u32 h3, l3; __asm__("mull %3" : "=a"(l3), "=d"(h3) : "%0"((u32)a), "rm"((u32)b)); printf("%x %x ", h3, l3);
  int64_t sh, sl; __asm__("imulq %3" : "=a"(sl), "=d"(sh) : "0"(a), "rm"(b)); printf("%lx %lx\n", sh, sl);
}
static void sums(u64 ah, u64 al, u64 bh, u64 bl) {
  u64 h, l;
  __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(h), "=&r"(l) : "0"(ah), "rme"(bh), "%1"(al), "rme"(bl)); printf("%lx %lx ", h, l); /* GMP */
  __asm__("addq %5,%1\n\tadcq %3,%0" : "=r"(h), "=&r"(l) : "%0"(ah), "rme"(bh), "%1"(al), "rme"(bl)); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("addq %3,%0\n\tadcq %2,%1" : "+r"(l), "+r"(h) : "r"(bh), "r"(bl) : "cc"); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("addq %2, %0; adcq %3, %1" : "+&r"(l), "+r"(h) : "r"(bl), "r"(bh) : "cc"); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("addq %3, %1\n\tadcq %2, %0" : "+r"(h), "+&r"(l) : "r"(bh), "r"(bl) : "cc"); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("add %2,%0\n\tadc $0,%1" : "+r"(l), "+r"(h) : "rm"(bl) : "cc"); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("addq %2,%0\n\tadcq $0,%1" : "+r"(l), "+r"(h) : "rm"(bl) : "cc"); printf("%lx %lx ", h, l);
  u64 m = 5; h = ah, l = al; __asm__("addq %3,%0\n\tadcq %4,%1\n\tadcq $0,%2" : "+r"(l), "+r"(h), "+r"(m) : "r"(bl), "r"(bh) : "cc"); printf("%lx %lx %lx\n", m, h, l);
  __asm__("subq %5,%q1\n\tsbbq %3,%q0" : "=r"(h), "=&r"(l) : "0"(ah), "rme"(bh), "1"(al), "rme"(bl)); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("subq %2,%0\n\tsbbq %3,%1" : "+&r"(l), "+r"(h) : "r"(bl), "r"(bh) : "cc"); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("subq %3, %1\n\tsbbq %2, %0" : "+r"(h), "+&r"(l) : "r"(bh), "r"(bl)); printf("%lx %lx ", h, l);
  h = ah, l = al; __asm__("sub %2,%0\n\tsbb $0,%1" : "+r"(l), "+r"(h) : "r"(bl) : "cc"); printf("%lx %lx ", h, l);
  m = 5; h = ah, l = al; __asm__("subq %3,%0\n\tsbbq %4,%1\n\tsbbq $0,%2" : "+r"(l), "+r"(h), "+r"(m) : "r"(bl), "r"(bh) : "cc"); printf("%lx %lx %lx ", m, h, l);
  u32 h3, l3; __asm__("addl %5,%k1\n\tadcl %3,%k0" : "=r"(h3), "=&r"(l3) : "0"((u32)ah), "rme"((u32)bh), "%1"((u32)al), "rme"((u32)bl)); printf("%x %x ", h3, l3);
  __asm__("subl %5,%k1\n\tsbbl %3,%k0" : "=r"(h3), "=&r"(l3) : "0"((u32)ah), "rme"((u32)bh), "1"((u32)al), "rme"((u32)bl)); printf("%x %x\n", h3, l3);
}
static void flags(u64 a, u64 b) {
  u64 s = a; unsigned char c;
  __asm__("addq %2,%0\n\tsetc %1" : "+r"(s), "=qm"(c) : "r"(b) : "cc"); printf("%lx %d ", s, c);
  s = a; u64 carry; __asm__("addq %2,%0\n\tsbbq %1,%1" : "+r"(s), "=r"(carry) : "r"(b) : "cc"); printf("%lx %lx ", s, carry);
  int out_carry; s = a; __asm__("addq %2, %0" : "+r"(s), "=@ccc"(out_carry) : "r"(b)); printf("%lx %d ", s, out_carry);
  int zero; __asm__("testq %1, %1" : "=@ccz"(zero) : "r"(a & b)); printf("%d ", zero);
  u64 r = a; __asm__("negq %0" : "+r"(r) : : "cc"); printf("%lx ", r); __asm__("notq %0" : "+r"(r)); printf("%lx ", r);
  __asm__("movq %1, %0" : "=r"(r) : "r"(b)); printf("%lx ", r); __asm__("leaq (%1,%2), %0" : "=r"(r) : "r"(a), "r"(b)); printf("%lx ", r);
  __asm__("xorq %0, %0" : "=r"(r)); printf("%lx ", r); r = a; __asm__("incq %0" : "+r"(r)); printf("%lx ", r); u64 t = b; __asm__("xchgq %0, %1" : "+r"(r), "+r"(t)); printf("%lx %lx ", r, t);
  r = a; __asm__("rolq $13, %0" : "+r"(r)); printf("%lx ", r); u32 q = (u32)a; __asm__("rorl %%cl, %0" : "+r"(q) : "c"((char)b)); printf("%x\n", q);
  int old = 5; __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(q) : : "memory"); printf("%x %x ", old, q);
  int prev; q = 7; __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(prev), "+m"(q) : "r"(9), "0"(7) : "memory"); printf("%d %u ", prev, q);
  __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(q) : : "memory"); printf("%x %x ", old, q); __asm__ volatile("lock; addl %1, %0" : "+m"(q) : "ir"(3)); __asm__ volatile("lock; incl %0" : "+m"(q)); printf("%x\n", q);
}
int main(void) {
  for (int i = 0; i < COUNT; i++) {
    u64 a = samples[i];
    barrier();
    printf("%lx %lx %lx %g\n", hide(a), copied(a), swap64(a), hide_double((double)a));
    u64 m = a; in_memory(&m), used(&m);
    printf("%lx %lx %x %x %x %x\n", m, swap64q(a), swap32((u32)a), swap32l((u32)a), swap16((uint16_t)a), swap16x((uint16_t)a));
    if (a) printf("%d %d %d %d %d %d\n", lowest(a), lowest32((u32)a | 1u << 31), lowest_bare(a), highest(a), highest32((u32)a | 1), highest_bare(a));
    for (int k = 0; k < COUNT; k++) products(a, samples[k]), sums(a, samples[(i + 3 * k) % COUNT], samples[k], samples[(k + 5) % COUNT]), flags(a, samples[k]);
  }
  __asm__ volatile("pause"); __asm__ volatile("rep; nop"); __asm__ volatile("mfence" ::: "memory"); __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  u32 lo, hi; __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)); __asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi));
  u32 a, b, c, d; __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(0), "c"(0)); __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(1));
  return 0;
}
