// What calls is at higher addresses than what is called: frames, locals, blocks of alloca.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07
// deviation: statuses lost
#include "outcome.h"
#include <alloca.h>
#include <stdint.h>

static uintptr_t lowest;
static int within(uintptr_t from, uintptr_t to) { return from > to && from - to < 1 << 20; }

__attribute__((noinline)) static int nested(int levels, char *callers, uintptr_t frame) {
  char mine = (char)levels;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (!within((uintptr_t)callers, (uintptr_t)&mine)) return 100;
  if (!within(frame, here)) return 101;
  if ((uintptr_t)&mine >= here) return 102;
  if ((uintptr_t)callers < here) return 103;
  char *asked = alloca(16);
  if ((uintptr_t)asked >= here) return 104;
  if (here < lowest) return 50 + levels;
  return levels ? nested(levels - 1, &mine, here) : (mine == 0 ? 7 : 8);
}

int main(void) {
  unsigned char in[2];
  char mine = 0;
  take(in, sizeof in);
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  lowest = in[1] & 1 ? here + 1 : here - 60000;
  if (in[1] & 2) lowest = UINTPTR_MAX;
  return each(nested(in[0] & 7, &mine, here));
}
