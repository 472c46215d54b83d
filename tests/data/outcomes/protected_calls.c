// Errors that unwind by longjmp through protected calls, each with what it has to free.
// input: 2
// alphabet: 00 01 02 03 04 05
#include "outcome.h"
#include <setjmp.h>
#include <stdlib.h>

struct protected_call {
  struct protected_call *outer;
  jmp_buf back;
  volatile int code;
  void *owned;
};
static struct protected_call *innermost;
static int freed;
static _Noreturn void throw_error(int code) {
  if (!innermost) _exit(100 + code);
  innermost->code = code;
  longjmp(innermost->back, 1);
}
static int protect(void (*work)(int), int argument) {
  struct protected_call here = {.outer = innermost, .code = 0};
  innermost = &here;
  here.owned = malloc(8);
  if (!setjmp(here.back)) work(argument);
  free(here.owned);
  freed++;
  innermost = here.outer;
  return here.code;
}
static void leaf(int what) {
  if (what == 1) throw_error(7);
  if (what == 2) throw_error(8);
}
static void nested(int what) {
  int code = protect(leaf, what & 3);
  if (code == 8) throw_error(9);
  if (what == 3) throw_error(4);
}

int main(void) {
  unsigned char in[2];
  take(in, 2);
  int code = protect(nested, in[0]);
  if (in[1] == 1) leaf(in[0]);
  if (in[1] == 2) code += protect(leaf, 2);
  return freed * 20 + code;
}
