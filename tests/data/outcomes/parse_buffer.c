// A parser's buffer as in expat: pointers into it move when it is refilled or grows.
// input: 4
// alphabet: 00 01 04 05 08 09 10 3c
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

struct parser {
  char *buffer, *limit, *start, *end;
  int moved, grown;
};

static char *room(struct parser *p, size_t length) {
  if ((size_t)(p->limit - p->end) >= length) return p->end;
  size_t kept = p->end - p->start;
  if (kept + length <= (size_t)(p->limit - p->buffer)) {
    memmove(p->buffer, p->start, kept);
    p->moved++;
  } else {
    size_t size = p->buffer ? p->limit - p->buffer : 8;
    while (size < kept + length) size *= 2;
    char *larger = malloc(size);
    if (!larger) _exit(249);
    if (kept) memcpy(larger, p->start, kept);
    free(p->buffer);
    p->buffer = larger;
    p->limit = larger + size;
    p->grown++;
  }
  p->start = p->buffer;
  p->end = p->buffer + kept;
  return p->end;
}

int main(void) {
  struct parser p = {0};
  unsigned char in[4];
  take(in, sizeof in);
  for (int i = 0; i < 2; i++) {
    size_t length = (in[2 * i] & 3) * 6;
    memset(room(&p, length), 'a' + i, length);
    p.end += length;
    size_t used = (in[2 * i + 1] & 3) * 4;
    if (used > (size_t)(p.end - p.start)) return 60 + i;
    p.start += used;
  }
  for (char *at = p.start; at < p.end; at++)
    if (*at != 'a' && *at != 'b') return 100;
  return each(p.moved + 4 * p.grown + 16 * (p.start == p.end));
}
