// expect: exits 1
// expect: statuses 0
// Looking for a NUL in words, past the end of what was written: the answer does not depend on the rest.
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  text[0] = 'a';
  text[1] = 0;
  unsigned long word = *(unsigned long *)text;
  if (!((word - 0x0101010101010101ul) & ~word & 0x8080808080808080ul))
    return 1;
  return 0;
}
