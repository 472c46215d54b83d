/* Fails at lines 29 and 31: a pointer lies at an odd address, and a part of it is replaced. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *first = malloc(8), *block = malloc(4);
  char room[17], *to;
  if (second) {
    if (in[1])
      memcpy(room + 1, &first, 8);
    else
      memcpy(room + 1, &block, 8);
  } else {
    if (in[1])
      memcpy(room + 1, &block, 8);
    else
      memcpy(room + 1, &first, 8);
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  memcpy(&to, room + 1, 8);
  if (second)
    to[5] = 1;
  else
    to[5] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
