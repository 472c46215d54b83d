// A buffer that is aligned by hand within a block, with the block's start kept in front of it.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07 08 10 3f
// sanitizer: address
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

static void *aligned(size_t size, size_t alignment) {
  char *block = malloc(size + alignment - 1 + sizeof(void *));
  if (!block) _exit(249);
  uintptr_t start = ((uintptr_t)block + sizeof(void *) + alignment - 1) & ~(alignment - 1);
  ((void **)start)[-1] = block;
  return (void *)start;
}

int main(void) {
  unsigned char in[2];
  take(in, sizeof in);
  size_t alignment = (size_t)1 << (3 + (in[0] & 7));
  unsigned char *part = aligned(40, alignment);
  if ((uintptr_t)part & (alignment - 1)) return 100;
  if (((uintptr_t)part & 7) != 0) return 101;
  for (int i = 0; i < 40; i++) part[i] = i;
  unsigned char *below = (unsigned char *)(((uintptr_t)part + in[1]) & ~(uintptr_t)15);
  int seen = 0;
  if (alignment >= 16 && in[1] < 40) seen = *below;
  else if (in[1] >= 40 && in[1] < 64) return 70;
  free(((void **)part)[-1]);
  if (in[1] == 200) return part[0];
  return each(seen + (in[0] & 7));
}
