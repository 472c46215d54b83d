// All orders of four different numbers and their ties: bubble sort of 3 bytes has 6 paths.
// expect: exits 6
// level: -O0
#include <klee/klee.h>
int main(void) {
  unsigned char a[3];
  klee_make_symbolic(a, 3, "a");
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (a[j] > a[j + 1]) {
        unsigned char t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  klee_assert(a[0] <= a[1] && a[1] <= a[2]);
  return 0;
}
