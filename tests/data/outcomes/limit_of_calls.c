// An interpreter's guard against deep recursion: addresses of frames against a limit.
// input: 1
#include "outcome.h"
#include <stdint.h>

struct runtime {
  uintptr_t limit;
  int deepest;
};
static __attribute__((noinline)) int evaluate(struct runtime *runtime, int depth, int wanted) {
  volatile char scratch[256];
  scratch[depth & 255] = (char)depth;
  if ((uintptr_t)__builtin_frame_address(0) < runtime->limit) return -1;
  if (depth > runtime->deepest) runtime->deepest = depth;
  if (depth == wanted) return scratch[depth & 255] == (char)depth ? depth : 90;
  return evaluate(runtime, depth + 1, wanted);
}

int main(void) {
  unsigned char in;
  struct runtime runtime = {0, 0};
  take(&in, 1);
  runtime.limit = (uintptr_t)__builtin_frame_address(0) - 64 * 1024;
  int found = evaluate(&runtime, 0, in < 40 ? in : 100000);
  if (found >= 0) return each(found);
  return runtime.deepest > 60 && runtime.deepest < 64 * 1024 / 256 ? 50 : 51;
}
