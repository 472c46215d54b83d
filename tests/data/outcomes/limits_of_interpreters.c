// Limits of an interpreter: depth of the stack by addresses, memory by usable sizes, an interrupt by a counter.
// input: 2
// alphabet: 00 01 02 08 0f 10 28 29 7f
#include "outcome.h"
#include <malloc.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct runtime {
  size_t used, most;
  uintptr_t top;
  size_t stack_size;
  int turns;
  jmp_buf out;
};
enum { FINE, NO_MEMORY, TOO_DEEP, INTERRUPTED };

static void *take_memory(struct runtime *runtime, size_t size) {
  if (runtime->used + size > runtime->most) longjmp(runtime->out, NO_MEMORY);
  void *block = malloc(size);
  if (!block) longjmp(runtime->out, NO_MEMORY);
  runtime->used += malloc_usable_size(block) + 16;
  return block;
}
static void give_back(struct runtime *runtime, void *block) {
  runtime->used -= malloc_usable_size(block) + 16;
  free(block);
}
static int overflows(struct runtime *runtime, size_t more) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0) - more;
  return here < runtime->top - runtime->stack_size;
}
/* ( opens, ) closes, + allocates, - frees, . waits. */
static const unsigned char *run(struct runtime *runtime, const unsigned char *code) {
  volatile char room[512];
  char *block = 0;
  room[0] = 0;
  if (overflows(runtime, sizeof room)) longjmp(runtime->out, TOO_DEEP);
  for (; *code; code++) {
    if (--runtime->turns < 0) longjmp(runtime->out, INTERRUPTED);
    switch (*code) {
    case '(': code = run(runtime, code + 1); break;
    case ')': return code;
    case '+': if (!block) block = take_memory(runtime, 200); break;
    case '-': if (block) give_back(runtime, block), block = 0; break;
    }
  }
  return code - 1;
}

int main(void) {
  unsigned char in[2], code[64] = {0};
  static struct runtime runtime;
  take(in, 2);
  static const unsigned char counts[4] = {0, 4, 20, 50};
  size_t count = counts[in[0] & 3];
  unsigned char what = in[1] & 8 ? '(' : in[1] & 16 ? '+' : '.';
  /* "(+(+(+": each level keeps memory. */
  for (size_t i = 0; i < count; i++) code[i] = what == '(' && in[1] & 1 && i % 2 ? '+' : what;
  runtime.most = 2000;
  runtime.top = (uintptr_t)__builtin_frame_address(0);
  runtime.stack_size = 1 << 14;
  runtime.turns = in[1] & 2 ? 5 : 1000;
  int how = setjmp(runtime.out);
  if (how) return how;
  run(&runtime, code);
  return FINE;
}
