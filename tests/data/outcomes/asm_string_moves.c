// Loads, stores and moves of strings one by one and repeated, over what was just written, and backwards.
// input: 3
// alphabet: 00 01 02 03 41 61
#include "outcome.h"
#include <string.h>

/* The loop of an old strcpy. */
static char *copied(char *to, const char *from) {
  long a, b, c;
  __asm__ volatile("1:\tlodsb\n\tstosb\n\ttestb %%al, %%al\n\tjne 1b"
                   : "=&S"(a), "=&D"(b), "=&a"(c) : "0"(from), "1"(to) : "memory", "cc");
  return to;
}
/* And of a strcmp, with the carry of the last comparison. */
static int compared(const char *a, const char *b) {
  int d, e, result;
  __asm__ volatile("1:\tlodsb\n\tscasb\n\tjne 2f\n\ttestb %%al, %%al\n\tjne 1b\n\t"
                   "xorl %%eax, %%eax\n\tjmp 3f\n2:\tsbbl %%eax, %%eax\n\torb $1, %%al\n3:"
                   : "=a"(result), "=&S"(a), "=&D"(b) : "1"(a), "2"(b) : "cc", "memory");
  (void)d, (void)e;
  return result;
}
/* A match of a compressor: what is copied may be what was just written. */
static void repeat_back(unsigned char *at, unsigned long distance, unsigned long count) {
  const unsigned char *from = at - distance;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(count)::"memory");
}
static void move_up(unsigned char *bytes, unsigned long count, unsigned long by) {
  unsigned char *to = bytes + count - 1 + by;
  const unsigned char *from = bytes + count - 1;
  __asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(to), "+S"(from), "+c"(count)::"memory");
}
static unsigned last_loaded(const unsigned *words, unsigned long count, unsigned before) {
  unsigned value = before;
  __asm__ volatile("rep lodsl" : "+a"(value), "+S"(words), "+c"(count)::"memory");
  return value;
}

int main(void) {
  unsigned char in[4] = {0}, bytes[16] = "abc";
  unsigned words[4] = {0}, *to = words;
  unsigned long count = 3;
  char copy[4];
  take(in, 3);
  if (strcmp(copied(copy, (char *)in), (char *)in)) return 90;
  __asm__ volatile("rep stosl" : "+D"(to), "+c"(count) : "a"(0x1020304) : "memory");
  if (words[2] != 0x1020304 || words[3] || to != words + 3 || count) return 91;
  repeat_back(bytes + 3, 2, 6);
  if (memcmp(bytes, "abcbcbcbc", 10)) return 92;
  move_up(bytes, 5, 2);
  if (memcmp(bytes, "ababcbcbc", 10)) return 93;
  if (last_loaded(words, 0, 7) != 7 || last_loaded(words, 2, 7) != 0x1020304) return 94;
  if (in[0] < 4) {
    unsigned table[4] = {5, 6, 7, 8};
    return each((int)last_loaded(table, in[0], 4));
  }
  if (in[0] == 'A') {
    unsigned char line[12] = {1, 2, 3};
    repeat_back(line + 3, in[1] & 3 ? 3 : 1, 4);
    return line[6];
  }
  int order = compared((char *)in, "a\x01");
  return order < 0 ? 20 : order > 0 ? 21 : 22;
}
