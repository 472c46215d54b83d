// The begin and the end of a sort key within a line: pointers that stop at the line's end.
// input: 6
// alphabet: 20 61 62 0a 01 02 03 00
#include "outcome.h"
#include <string.h>

struct line {
  const char *text, *end;
};

static const char *begin(const struct line *line, unsigned field, unsigned letter) {
  const char *at = line->text, *end = line->end;
  while (at < end && field--) {
    while (at < end && *at == ' ') at++;
    while (at < end && *at != ' ') at++;
  }
  while (at < end && *at == ' ') at++;
  return (size_t)(end - at) < letter ? end : at + letter;
}

int main(void) {
  unsigned char in[6];
  char text[5];
  take(in, sizeof in);
  memcpy(text, in, 4);
  text[4] = 0;
  struct line line = {text, text + strlen(text)};
  const char *from = begin(&line, in[4] & 1, 0), *to = begin(&line, 0, in[5] & 3);
  if (from == line.end) return 80;
  if (to < from) return each(90 + (int)(from - to));
  return each((int)(to - from) * 8 + (int)(from - line.text));
}
