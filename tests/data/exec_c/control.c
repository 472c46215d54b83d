#include "out.h"
static int dense(int v) { switch (v) { case 0: return 5; case 1: case 2: return 6; case 3: v++; /* fall */ case 4: return v * 2; case 7: return 1; default: return -1; } }
static int sparse(long v) { switch (v) { case -1000000000000: return 1; case 5: return 2; case 70000: return 3; case 0x7fffffffffffffff: return 4; } return 0; }
static int text(char c) { switch (c) { case 'a' ... 'f': return c - 'a' + 10; case '0' ... '9': return c - '0'; default: return 99; } }
static int interpret(const unsigned char *code) {
  static void *labels[] = {&&stop, &&push, &&add, &&dup, &&jnz, &&dec};
  int stack[16], sp = 0, steps = 0;
next: steps++; goto *labels[*code++];
push: stack[sp++] = *code++; goto next;
add: sp--; stack[sp - 1] += stack[sp]; goto next;
dup: stack[sp] = stack[sp - 1]; sp++; goto next;
jnz: { int t = (signed char)*code++; if (stack[sp - 1]) code += t; } goto next;
dec: stack[sp - 1]--; goto next;
stop: return stack[0] * 1000 + steps;
}
static int vla(int n) { int a[n]; int s = 0; for (int i = 0; i < n; i++) a[i] = i * i; for (int k = 0; k < n; k++) { char b[k + 1]; b[k] = (char)k; s += b[k] + a[k]; } return s + (int)sizeof a; }
static long collatz(long n) { long s = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; s++; } return s; }
static void sort(int *a, int n) { for (int i = 1; i < n; i++) { int v = a[i], j = i; while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; } a[j] = v; } }
static _Atomic long other_counter; static long counter; static volatile int vol;
static unsigned crc(const char *s) { unsigned c = ~0u; while (*s) { c ^= (unsigned char)*s++; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; } return ~c; }
int test_main(void) {
  for (int i = -2; i < 10; i++) out(dense(i));
  out(sparse(5)); out(sparse(70000)); out(sparse(-1000000000000)); out(sparse(0x7fffffffffffffff)); out(sparse(6));
  for (int c = 0; c < 128; c++) out(text((char)c));
  static const unsigned char program[] = {1, 5, 1, 10, 3, 2, 5, 4, (unsigned char)-3, 0};
  out(interpret(program));
  for (int i = 1; i < 20; i += 3) out(vla(i));
  for (int i = 1; i < 40; i++) out(collatz(i));
  int a[50]; unsigned seed = 12345; for (int i = 0; i < 50; i++) { seed = seed * 1103515245 + 12345; a[i] = (int)(seed >> 16) % 1000 - 300; }
  __asm__ volatile(".p2align 4\n\tnop"); __asm__ volatile(".balign 16" ::: "memory");
  sort(a, 50); for (int i = 0; i < 50; i++) out(a[i]);
  other_counter = 5; out(other_counter++); out(other_counter); counter = 6; out(__atomic_fetch_or(&counter, 0x70, __ATOMIC_SEQ_CST)); long expected = 0x76;
  out(__atomic_compare_exchange_n(&counter, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); out(counter); out(expected);
  out(__atomic_exchange_n(&counter, 3, __ATOMIC_SEQ_CST)); out(__atomic_sub_fetch(&counter, 10, __ATOMIC_SEQ_CST)); out(counter);
  vol = 3; vol += vol; out(vol); out(crc("The quick brown fox"));
  char buf[64], other[64]; __builtin_memset(buf, 'z', 64); __builtin_memcpy(other, "hello world, this is homi", 26); __builtin_memcpy(buf + 5, other, 26); __builtin_memmove(buf + 7, buf + 5, 26);
  for (int i = 0; i < 64; i++) out(buf[i]);
  return 3;
}
