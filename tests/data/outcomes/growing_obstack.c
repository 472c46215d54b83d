// Objects that grow at the end of chunks, each aligned by a mask, as in an obstack.
// input: 2
// alphabet: 00 01 07 08 1f 20 3f 40 ff
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
  struct chunk *before;
  char *limit;
  char room[];
};
struct obstack {
  struct chunk *chunk;
  char *base, *next;
  int chunks;
};

static void new_chunk(struct obstack *o, size_t more) {
  size_t have = o->chunk ? (size_t)(o->next - o->base) : 0;
  size_t size = have + more + 32;
  struct chunk *chunk = malloc(sizeof *chunk + size);
  if (!chunk) _exit(249);
  chunk->before = o->chunk;
  chunk->limit = chunk->room + size;
  if (have) memcpy(chunk->room, o->base, have);
  o->chunk = chunk;
  o->base = chunk->room;
  o->next = o->base + have;
  o->chunks++;
}

static void grow(struct obstack *o, const char *text, size_t length) {
  if ((size_t)(o->chunk->limit - o->next) < length) new_chunk(o, length);
  memcpy(o->next, text, length);
  o->next += length;
}

static char *finish(struct obstack *o) {
  char *object = o->base;
  o->next = (char *)(((uintptr_t)o->next + 7) & ~(uintptr_t)7);
  if (o->next > o->chunk->limit) o->next = o->chunk->limit;
  o->base = o->next;
  return object;
}

int main(void) {
  static const char text[64] = "the text of all objects";
  struct obstack o = {0};
  unsigned char in[2];
  char *object[2];
  take(in, sizeof in);
  new_chunk(&o, 0);
  for (int i = 0; i < 2; i++) {
    grow(&o, text, (in[i] & 15) * 4);
    grow(&o, "!", 2);
    object[i] = finish(&o);
    if (((uintptr_t)object[i] & 7) && o.base != o.chunk->limit) return 100;
  }
  for (int i = 0; i < 2; i++)
    if (object[i][(in[i] & 15) * 4] != '!') return 101;
  return each(o.chunks);
}
