// Memory of the stack that a loop asks for, as much as the input says.
// input: 2
// alphabet: 00 01 02 08 10 20 80 ff
// sanitizer: address
#include "outcome.h"
#include <alloca.h>
#include <string.h>

struct piece {
  struct piece *before;
  unsigned char length;
  char text[];
};

int main(void) {
  unsigned char in[2];
  struct piece *last = 0;
  int total = 0, count = 0;
  take(in, sizeof in);
  for (int i = 0; i < 2; i++) {
    unsigned length = in[i] & 7;
    if (!length) break;
    struct piece *piece = alloca(sizeof *piece + length);
    piece->before = last;
    piece->length = length;
    memset(piece->text, i + 1, length);
    last = piece;
    count++;
  }
  for (struct piece *piece = last; piece; piece = piece->before) {
    /* The text has no end mark: its length is one too many once. */
    int end = piece->length == 7 ? 24 : piece->length;
    total += piece->text[end - 1];
  }
  return each(total * 4 + count);
}
