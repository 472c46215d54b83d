/* Inline assembly with flags, widths and addresses: setCC and cmovCC after every kind of instruction, double shifts, bits, counts, divisions, widening
   moves, parts of registers, addresses with an index, blocks, atomic words, the processor's registers by name. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint64_t u64; typedef uint32_t u32; typedef uint16_t u16; typedef uint8_t u8;
static volatile u64 samples[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0};
enum { COUNT = sizeof samples / sizeof *samples };
#define FLAGS(instruction, w, type) static unsigned flags_##w(type a, type b) { \
  u8 c, z, s, o, be, l, le; u64 r = a; \
  __asm__(instruction "\n\tsetc %1\n\tsetz %2\n\tsets %3\n\tseto %4\n\tsetbe %5\n\tsetl %6\n\tsetle %7" : "+&r"(r), "=&r"(c), "=&r"(z), "=&r"(s), "=&r"(o), "=&r"(be), "=&r"(l), "=&r"(le) : "r"((u64)b) : "cc"); \
  return c | z << 1 | s << 2 | o << 3 | be << 4 | l << 5 | le << 6 | (unsigned)((type)r * 31u) << 8; }
FLAGS("addq %8, %0", add64, u64) FLAGS("subl %k8, %k0", sub32, u32) FLAGS("cmpw %w8, %w0", cmp16, u16) FLAGS("addb %b8, %b0", add8, u8) FLAGS("andq %8, %0", and64, u64) FLAGS("xorl %k8, %k0", xor32, u32) FLAGS("testb %b8, %b0", test8, u8) FLAGS("orw %w8, %w0", or16, u16) FLAGS("negq %0", neg64, u64) FLAGS("subb %b8, %b0\n\tsbbb %b8, %b0", sbb8, u8) FLAGS("stc\n\tadcl %k8, %k0", adc32, u32) FLAGS("addq %8, %0\n\tdecq %0", dec64, u64)
#define CMOV(cc) static u64 cmov_##cc(u64 a, u64 b) { u64 r = 5; __asm__("cmpq %2, %1\n\tcmov" #cc " %1, %0" : "+&r"(r) : "r"(a), "r"(b) : "cc"); return r; }
CMOV(c) CMOV(nc) CMOV(z) CMOV(ne) CMOV(a) CMOV(be) CMOV(l) CMOV(ge) CMOV(g) CMOV(le) CMOV(s) CMOV(no) CMOV(ae) CMOV(nz)
static void moves(u64 a, u64 b) {
  u64 r; u32 d; __asm__("movzbl %b1, %k0" : "=r"(r) : "q"(a)); printf("%lx ", r); __asm__("movsbq %b1, %0" : "=r"(r) : "q"(a)); printf("%lx ", r); __asm__("movzwl %w1, %k0" : "=r"(r) : "r"(a)); printf("%lx ", r); __asm__("movswq %w1, %0" : "=r"(r) : "r"(a)); printf("%lx ", r); __asm__("movslq %k1, %0" : "=r"(r) : "r"(a)); printf("%lx ", r); __asm__("movl %k1, %k0" : "=r"(r) : "r"(a)); printf("%lx ", r);
  r = a; __asm__("movb %b1, %b0" : "+q"(r) : "q"(b)); printf("%lx ", r); r = a; __asm__("movb %b1, %h0" : "+Q"(r) : "Q"(b)); printf("%lx ", r); r = a; __asm__("movw %w1, %w0" : "+r"(r) : "r"(b)); printf("%lx ", r); __asm__("movabsq $0x123456789abcdef0, %0" : "=r"(r)); printf("%lx ", r); __asm__("movl $-5, %0" : "=r"(d)); printf("%x ", d); __asm__("leaq 7(%1, %2, 4), %0" : "=r"(r) : "r"(a), "r"(b)); printf("%lx ", r); __asm__("leal -1(%q1), %0" : "=r"(d) : "r"(a)); printf("%x\n", d);
}
static void shifts(u64 a, u64 b, u8 n) {
  u64 r = a; u32 d = (u32)a; u16 h = (u16)a; u8 c; __asm__("shldq %%cl, %1, %0" : "+r"(r) : "r"(b), "c"(n) : "cc"); printf("%lx ", r); r = a; __asm__("shrdq $13, %1, %0" : "+r"(r) : "r"(b) : "cc"); printf("%lx ", r); __asm__("shldl $5, %1, %0" : "+r"(d) : "r"((u32)b) : "cc"); printf("%x ", d); __asm__("shrdl %b2, %1, %0" : "+r"(d) : "r"((u32)b), "cI"(n) : "cc"); printf("%x ", d); r = a; __asm__("shrq $1, %0\n\tsetc %1" : "+r"(r), "=q"(c) : : "cc"); printf("%lx%d ", r, c); r = a; __asm__("shlq $3, %0\n\tsetc %1" : "+r"(r), "=q"(c) : : "cc"); printf("%lx%d ", r, c); r = a; __asm__("sarq $60, %0\n\tsetc %1" : "+r"(r), "=q"(c) : : "cc"); printf("%lx%d ", r, c); __asm__("roll %0" : "+r"(d)); printf("%x ", d); __asm__("rolw $5, %0" : "+r"(h)); printf("%x ", h); __asm__("sarl %%cl, %0" : "+r"(d) : "c"(n)); printf("%x ", d); __asm__("salq %b1, %0" : "+r"(r) : "cJ"(n)); printf("%lx\n", r);
}
static void bits(u64 a, u64 b) {
  u64 r = a; u8 c; __asm__("btsq %2, %0\n\tsetc %1" : "+r"(r), "=q"(c) : "r"(b) : "cc"); printf("%lx%d ", r, c); __asm__("btrq %2, %0\n\tsetc %1" : "+r"(r), "=q"(c) : "r"(b + 1) : "cc"); printf("%lx%d ", r, c); __asm__("btcq $5, %0\n\tsetc %1" : "+r"(r), "=q"(c) : : "cc"); printf("%lx%d ", r, c); u32 d = (u32)a; __asm__("btl %2, %0\n\tsbbl %1, %1" : "+r"(d), "=r"(d) : "r"((u32)b) : "cc"); printf("%x ", d); __asm__("popcntq %1, %0" : "=r"(r) : "r"(a) : "cc"); printf("%lu ", r); if (a) { __asm__("bsrq %1, %0\n\tsetz %2" : "=r"(r), "+r"(a), "=q"(c) : : "cc"); printf("%lu%d ", r, c); } r = a; __asm__("imulq %1, %0" : "+r"(r) : "r"(b) : "cc"); printf("%lx ", r); __asm__("imulq $-7, %1, %0" : "=r"(r) : "r"(a) : "cc"); printf("%lx ", r); u32 q, m; if ((u32)b) { __asm__("divl %4" : "=a"(q), "=d"(m) : "0"((u32)a), "1"(0), "r"((u32)b) : "cc"); printf("%x %x ", q, m); } u64 lo, hi; __asm__("mulq %3\n\tsetc %2" : "=&a"(lo), "=&d"(hi), "=&q"(c) : "r"(b), "0"(a) : "cc"); printf("%lx %lx %d\n", lo, hi, c);
}
static void memory(u64 a, u64 b) {
  u64 word[4] = {a, b, a ^ b, 7}; u32 half[2] = {(u32)a, (u32)b}; u8 c; long index = 2; u64 r;
  __asm__ volatile("addq %1, %0" : "+m"(word[0]) : "r"(b) : "cc", "memory"); __asm__("movq (%1, %2, 8), %0" : "=r"(r) : "r"(word), "r"(index), "m"(word)); printf("%lx %lx %lx ", word[0], word[1], r);
}
static void atomics(u64 a, u64 b) {
  u64 word = a, old = b; u32 half = (u32)a, low = (u32)b; u8 done, byte = (u8)a; u64 expected = b;
  __asm__ volatile("lock; xaddq %0, %1" : "+r"(old), "+m"(word) : : "memory", "cc"); printf("%lx %lx ", old, word); __asm__ volatile("lock\n\tcmpxchgq %3, %1\n\tsete %0" : "=q"(done), "+m"(word), "+a"(expected) : "r"(a) : "memory", "cc"); printf("%d %lx %lx ", done, word, expected); expected = word; __asm__ volatile("lock cmpxchgq %3, %1; setz %0" : "=q"(done), "+m"(word), "+a"(expected) : "r"(a ^ 5) : "memory", "cc"); printf("%d %lx ", done, word); __asm__ volatile("xchgl %0, %1" : "+r"(low), "+m"(half)); printf("%x %x ", low, half); __asm__ volatile("lock; decl %0; setne %1" : "+m"(half), "=q"(done) : : "cc"); printf("%x%d ", half, done); __asm__ volatile("lock; orb %1, %0" : "+m"(byte) : "q"((u8)b)); __asm__ volatile("lock; subq %1, %0" : "+m"(word) : "er"(3)); __asm__ volatile("lock; notl %0" : "+m"(half)); __asm__ volatile("incb %0" : "+m"(byte)); printf("%x %lx %x ", byte, word, half);
  char text[40] = "0123456789012345678901234567890123456", *to = text + 3, *from = text + 20; u64 n = a % 9; __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"((u8)('A' + b % 20)) : "memory"); printf("%d%lu ", (int)(to - text), n); n = b % 7; to = text; __asm__ volatile("cld; rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory"); printf("%s %d %d\n", text, (int)(to - text), (int)(from - text));
}
static u64 by_name(u64 a, u64 b) { u64 r; __asm__("movq %1, %%r10\n\tmovq %2, %%rax\n\txorl %%edx, %%edx\n\tleaq (%%r10, %%rax), %%rcx\n\tmovb $7, %%dl\n\taddq %%rdx, %%rcx\n\tbswapl %%ecx\n\tmovq %%rcx, %0" : "=r"(r) : "r"(a), "r"(b) : "rax", "rcx", "rdx", "r10", "cc"); return r; }
int main(void) {
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < COUNT; k++) {
      u64 a = samples[i], b = samples[k];
      printf("%x %x %x %x %x %x ", flags_add64(a, b), flags_sub32(a, b), flags_cmp16(a, b), flags_add8(a, b), flags_and64(a, b), flags_xor32(a, b)); printf("%x %x %x %x %x %x\n", flags_test8(a, b), flags_or16(a, b), flags_neg64(a, b), flags_sbb8(a, b), flags_adc32(a, b), flags_dec64(a, b));
      printf("%lx %lx %lx %lx %lx %lx %lx %lx %lx %lx %lx %lx %lx %lx\n", cmov_c(a, b), cmov_nc(a, b), cmov_z(a, b), cmov_ne(a, b), cmov_a(a, b), cmov_be(a, b), cmov_l(a, b), cmov_ge(a, b), cmov_g(a, b), cmov_le(a, b), cmov_s(a, b), cmov_no(a, b), cmov_ae(a, b), cmov_nz(a, b));
      moves(a, b), shifts(a, b, (u8)(i * 13 + k)), bits(a, b), memory(a, b), atomics(a, b); printf("%lx\n", by_name(a, b));
    }
  }
  return 0;
}
