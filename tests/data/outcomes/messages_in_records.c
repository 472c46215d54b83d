// Records with a length in front, as they come from a stream: cut, too long, wrong check sum.
// input: 4
// alphabet: 00 01 02 03 61 ff
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct record {
  uint8_t kind, length;
  unsigned char body[];
};
static struct record *parse(const unsigned char *at, size_t left) {
  size_t total;
  if (left < 2) return 0;
  if (__builtin_add_overflow(sizeof(struct record), (size_t)at[1], &total) || total > left) return 0;
  struct record *record = malloc(total);
  if (record) memcpy(record, at, total);
  return record;
}

int main(void) {
  unsigned char in[4];
  take(in, 4);
  int seen = 0, sum = 0;
  for (size_t at = 0; at < sizeof in;) {
    struct record *record = parse(in + at, sizeof in - at);
    if (!record) return 100 + seen * 10 + (int)at;
    unsigned char check = 0;
    for (int i = 0; i < record->length; i++) check ^= record->body[i];
    if (record->kind == 1 && check) return 50 + seen;
    sum += record->kind == 2;
    seen++;
    at += sizeof *record + record->length;
    free(record);
  }
  return seen * 10 + sum;
}
