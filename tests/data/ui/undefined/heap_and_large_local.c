// expect: bug undef line 22 "branch on an undefined value"
// expect: bug undef line 24 "branch on an undefined value"
// expect: bug undef line 27 "branch on an undefined value"
// expect: exits 1
// expect: statuses 13
// level: -O0
#include <stdlib.h>
#include <string.h>

int main(void) {
  char large[1 << 20];
  char *heap = malloc(5000);
  int seen = 0;
  memset(large + 1000, 1, 70000);
  memset(heap, 2, 4999);
  for (int i = 1000; i < 71000; i++)
    if (large[i] != 1)
      abort();
  for (int i = 0; i < 4999; i++)
    if (heap[i] != 2)
      abort();
  if (large[71000] == (char)0xab)
    seen |= 1;
  if (large[999999] == 1)
    seen |= 2;
  heap[0] = heap[4999];
  if (heap[0] != 1)
    seen |= 4;
  large[999999] = 1;
  if (large[999999] == 1)
    seen |= 8;
  return seen;
}
