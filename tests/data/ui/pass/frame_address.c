// Frame addresses tell how deep calls are: a callee's is below its caller's, and returns give it back.
// expect: exits 3
// expect: statuses 0 2 3
// level: -O0
#include <klee/klee.h>
#include <stdint.h>
static uintptr_t limit;
static int too_deep(void) { return (uintptr_t)__builtin_frame_address(0) < limit; }
static int skip(const char *text, int at) {
  int end;
  if (too_deep()) return -1;
  if (text[at] != '[') return at;
  end = skip(text, at + 1);
  if (end < 0) return end;
  return text[end] == ']' ? end + 1 : -2;
}
static uintptr_t below(void) { return (uintptr_t)__builtin_frame_address(0); }
static uintptr_t callers(void) { return (uintptr_t)__builtin_frame_address(1); }
int main(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  klee_assert(below() < here && here - below() < 4096 && below() == below() && callers() == here);
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume((text[0] == '[') & ((text[1] == '[') | (text[1] == ']')) & (text[2] == 0));
  if (klee_range(0, 2, "closed")) { text[0] = '['; text[1] = ']'; text[2] = 'x'; }
  limit = here - 64 * 1024;
  int end = skip(text, 0);
  if (end == -1) return 9;
  if (end == -2) return 2;
  return text[end] ? 3 : 0;
}
