// A symbolic length that is more than what lies at a place, or is copied from there, is a bug on a path of its own.
// expect: bug ptr line 13 "memory error: out of bound pointer"
// expect: bug ptr line 17 "memory error: out of bound pointer"
// expect: statuses 1 2 3
#include <homi/engine.h>
#include <klee/klee.h>
int main(void) {
  char from[6] = {1, 2, 3, 4, 5, 6}, to[4] = {0};
  unsigned length;
  klee_make_symbolic(&length, sizeof length, "length");
  if (length & 1) {
    if (length > 1000) return 1;
    homi_require_room(from, length, 0);
    return length > 6 ? 99 : 2;
  }
  if (length > 1000) return 1;
  homi_copy(to, from, length);
  return 3;
}
