// Far jumps land in no other object.
// expect: bug ptr line 9 "memory error: out of bound pointer"
// expect: exits 0
#include <stdlib.h>
static volatile long far = 1 << 20;
int main(void) {
  char *p = malloc(10);
  for (int i = 0; i < 100; i++) malloc(10);
  return p[far];
}
