// Jumps within inline assembly: spin locks, counted loops, sums with carries, searches in strings.
// input: 3
// alphabet: 00 01 02 03 7f 80 ff 2f
#include "outcome.h"

static volatile int lock;

static void acquire(volatile int *at) {
  int one = 1;
  __asm__ volatile("1:\txchgl %0, %1\n\ttestl %0, %0\n\tjz 3f\n2:\tpause\n\tcmpl $0, %1\n\tjne 2b\n\tjmp 1b\n3:"
                   : "+r"(one), "+m"(*at)::"memory", "cc");
}
static int try_acquire(volatile int *at) {
  int old = 0;
  unsigned char got;
  __asm__ volatile("lock; cmpxchgl %3, %1\n\tsete %2" : "+a"(old), "+m"(*at), "=q"(got) : "r"(1) : "memory", "cc");
  return got;
}
static void release(volatile int *at) { __asm__ volatile("movl $0, %0" : "=m"(*at)::"memory"); }

/* A sum of words with the carry wrapped around, as checksums of packets have it. */
static unsigned folded(const unsigned *words, unsigned long count) {
  unsigned sum = 0;
  unsigned long words_left = count;
  __asm__ volatile("testq %1, %1\n\tjz 2f\n1:\taddl (%2), %0\n\tadcl $0, %0\n\tleaq 4(%2), %2\n\tdecq %1\n\tjnz 1b\n2:"
                   : "+r"(sum), "+r"(words_left), "+r"(words)::"memory", "cc");
  return sum;
}
static int bits_of(unsigned char value) {
  int count = 0;
  unsigned rest = value;
  __asm__ volatile("jmp .Ltest%=\n.Lturn%=:\n\tleal -1(%1), %%ecx\n\tandl %%ecx, %1\n\tincl %0\n"
                   ".Ltest%=:\n\ttestl %1, %1\n\tjnz .Lturn%="
                   : "+r"(count), "+r"(rest)::"ecx", "cc");
  return count;
}
static long power(long base, unsigned long exponent) {
  long result = 1;
  __asm__ volatile("jrcxz 2f\n1:\timulq %2, %0\n\tloop 1b\n2:" : "+r"(result), "+c"(exponent) : "r"(base) : "cc");
  return result;
}
static int first_slash(const char *text) {
  const char *at = text;
  __asm__ goto volatile("movq (%0), %%rdx\n1:\tmovb (%%rdx), %%al\n\tmovq %%rdx, (%0)\n\tcmpb $0x2f, %%al\n\tje %l[slash]\n\t"
                        "incq %%rdx\n\ttestb %%al, %%al\n\tjnz 1b" ::"r"(&at) : "rax", "rdx", "cc", "memory" : slash);
  return -1;
slash:
  return (int)(at - text);
}

int main(void) {
  unsigned char in[4] = {0};
  take(in, 3);
  acquire(&lock);
  if (try_acquire(&lock)) return 90;
  release(&lock);
  if (!try_acquire(&lock)) return 91;
  unsigned words[3] = {0xfffffff0u, in[0], in[1]};
  unsigned sum = folded(words, 3);
  if (sum != (unsigned)(((unsigned long)words[0] + in[0] + in[1]) % 0xffffffffu)
      && sum != 0xffffffffu) return 92;
  if (folded(words, 0)) return 93;
  int slash = first_slash((char *)in);
  if (slash >= 0) return each(10 + slash);
  if (in[0] == 2) return each(30 + bits_of(in[1]));
  if (in[0] == 3) return power(3, in[1] & 3) == 27 ? 40 : 41;
  return sum < 16 ? 1 : sum == 0xffffffffu ? 2 : 3;
}
