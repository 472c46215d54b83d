// Reading with stdio at positions of the input; what was pushed back counts.
// input: 6
// alphabet: 00 01 02 03 04 05 06 41 42 fa ff
#include "outcome.h"
#include <stdio.h>

int main(void) {
  unsigned char buffer[8];
  int at = getchar(), count = getchar();
  if (at == EOF || count == EOF) return 100;
  if (fseek(stdin, (signed char)at, (count & 64) ? SEEK_END : SEEK_SET)) return 50;
  if (count & 128) {
    int c = getchar();
    if (c == EOF) return each(feof(stdin) ? 51 : 52);
    if (ungetc('B', stdin) != 'B') return 53;
  }
  long before = ftell(stdin);
  size_t got = fread(buffer, 1, count & 7, stdin);
  if (ftell(stdin) != before + (long)got) return 54;
  if (got && buffer[0] == 'B') return each(60 + (int)got);
  return each((int)got + (feof(stdin) ? 10 : 0));
}
