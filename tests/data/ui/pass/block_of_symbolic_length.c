// Lengths of memset and memcpy with more values than a path forks over.
// expect: statuses 0 1 2
// level: -O0
#include <klee/klee.h>
#include <string.h>
static unsigned char a[1000], b[1000];
int main(void) {
  unsigned short n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 1000);
  __builtin_memset(a, 7, n);
  for (int i = 0; i < 1000; i++) b[i] = 3;
  __builtin_memcpy(b, a, n);
  if (n > 500) {
    klee_assert(a[500] == 7 && b[500] == 7);
    return 1;
  }
  klee_assert(a[500] == 0 && b[500] == 3);
  if (n == 0) return 2;
  klee_assert(b[n - 1] == 7 && b[n] == 3 && a[n] == 0);
  return 0;
}
