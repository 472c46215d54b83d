// An interpreter that limits recursion by the distance of frames: four levels are far from deep.
// input: 4
// alphabet: 5b 5d 00 78
#include "outcome.h"
#include <stdint.h>

static uintptr_t lowest;

static int skip(const char *text, int at) {
  if ((uintptr_t)__builtin_frame_address(0) < lowest) return -1;
  if (text[at] != '[') return at;
  int end = skip(text, at + 1);
  if (end < 0) return end;
  if (text[end] != ']') return -2;
  return end + 1;
}

int main(void) {
  char text[5] = {0};
  take(text, 4);
  lowest = (uintptr_t)__builtin_frame_address(0) - 65536;
  int end = skip(text, 0);
  if (end < 0) return each(end == -1 ? 9 : 2);
  return each(text[end] ? 3 : 10 + end);
}
