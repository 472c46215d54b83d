// A symbolic vector with a symbolic number of elements: each of the sizes 4, 8 and 12.
// expect: exits 14
// expect: statuses 0 1 2 3
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int length, count = 0;
  klee_make_symbolic(&length, sizeof length, "length");
  klee_assume((length >= 1) & (length <= 3));
  int *element = malloc((size_t)length * sizeof(int));
  klee_make_symbolic(element, (size_t)length * sizeof(int), "buffer");
  for (int i = 0; i < length; i++)
    if (element[i] < 0) count++;
  return count;
}
