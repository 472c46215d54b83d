// Repeated string instructions, exchanges and words of control.
// input: 3
// alphabet: 00 01 61 62 ff
#include "outcome.h"
#include <string.h>

static unsigned long length_of(const char *text) {
  unsigned long count = -1ul;
  __asm__ volatile("repne; scasb" : "+D"(text), "+c"(count) : "a"(0) : "memory", "cc");
  return ~count - 1;
}
static int contains(const unsigned char *bytes, unsigned long count, unsigned char which) {
  unsigned char found;
  __asm__ volatile("repne scasb; sete %0" : "=q"(found), "+D"(bytes), "+c"(count) : "a"(which) : "memory", "cc");
  return found;
}
static int exchanged(int *at, int value) {
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at)::"memory");
  return value;
}

int main(void) {
  unsigned char in[4] = {0};
  long words[4] = {1, 2, 3, 4}, copy[4];
  void *to = copy;
  const void *from = words;
  unsigned long count = 4;
  unsigned short control;
  int place = 7;
  take(in, 3);
  __asm__ volatile("cld; rep movsq" : "+D"(to), "+S"(from), "+c"(count)::"memory");
  if (memcmp(words, copy, sizeof copy) || count || to != copy + 4) return 90;
  to = copy, count = 2;
  __asm__ volatile("rep; stosq" : "+D"(to), "+c"(count) : "a"(0L) : "memory");
  if (copy[0] || copy[1] || copy[2] != 3 || count) return 91;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  if ((control & 0x3f) != 0x3f) return 92;
  if (exchanged(&place, in[2]) != 7 || place != in[2]) return 93;
  unsigned high, low, which;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(which));
  if (contains(in, 3, 'a')) return contains(in, 3, 'b') ? 5 : 6;
  return each((int)length_of((char *)in));
}
