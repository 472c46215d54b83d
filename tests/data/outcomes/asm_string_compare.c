// Comparisons and searches of strings by repeated instructions, in all widths and both directions.
// input: 3
// alphabet: 00 01 61 62 80 ff
#define _GNU_SOURCE
#include "outcome.h"
#include <string.h>

/* As libraries had memcmp before they had builtins: the flags of the last pair decide. */
static int compare(const void *a, const void *b, unsigned long count) {
  int above, below;
  __asm__ volatile("xorl %0, %0\n\txorl %1, %1\n\tcmpq %2, %2\n\trepe; cmpsb\n\tseta %b0\n\tsetb %b1"
                   : "=&a"(above), "=&d"(below), "+c"(count), "+S"(a), "+D"(b)::"memory", "cc");
  return above - below;
}
static long distance(const unsigned short *words, unsigned long count, unsigned short which) {
  const unsigned short *at = words;
  unsigned char found;
  __asm__ volatile("cmpw %%ax, %w3\n\trepne scasw\n\tsetz %0" : "=q"(found), "+D"(at), "+c"(count) : "a"(which), "r"(which ^ 1) : "cc", "memory");
  return found ? at - words - 1 : -1;
}
static unsigned long equal_longs(const int *a, const int *b, unsigned long count) {
  unsigned long left = count;
  __asm__ volatile("repz cmpsl\n\tje 1f\n\tincq %0\n1:" : "+c"(left), "+S"(a), "+D"(b)::"cc", "memory");
  return count - left;
}
static const unsigned char *last_of(const unsigned char *bytes, unsigned long count, unsigned char which) {
  const unsigned char *at = bytes + count - 1;
  unsigned char found;
  __asm__ volatile("std; repne; scasb; sete %0; cld" : "=q"(found), "+D"(at), "+c"(count) : "a"(which) : "cc", "memory");
  return found ? at + 1 : 0;
}
static unsigned long run_of(const unsigned long *words, unsigned long count, unsigned long which) {
  unsigned long left = count;
  unsigned char all;
  __asm__ volatile("repe scasq; sete %0" : "=q"(all), "+D"(words), "+c"(left) : "a"(which) : "cc", "memory");
  return all ? count : count - left - 1;
}

int main(void) {
  unsigned char in[4] = {0};
  unsigned short words[3];
  unsigned long longs[3];
  int a[3] = {1, -2, 3}, b[3];
  take(in, 3);
  for (int i = 0; i < 3; i++) words[i] = (unsigned short)(in[i] << 8 | 1), longs[i] = in[i], b[i] = in[i] == 'a' ? a[i] : -a[i];
  if (compare(in, "", 0) != 0) return 90;
  int order = compare(in, "a\x80", 2);
  if (order != (memcmp(in, "a\x80", 2) > 0) - (memcmp(in, "a\x80", 2) < 0)) return 91;
  const unsigned char *last = last_of(in, 3, 'b');
  if (last != memrchr(in, 'b', 3)) return 92;
  if (in[0] == 0xff) return each((int)(10 + distance(words, 3, 0x101)));
  if (in[0] == 0) return each((int)(20 + run_of(longs, 3, 0)));
  if (in[0] == 'a') return each((int)(30 + equal_longs(a, b, 3)));
  return 40 + order + (last ? (int)(last - in) * 3 : 9);
}
