// expect: bug user line 6 "cannot make readonly object symbolic"
// expect: exits 0
#include <klee/klee.h>
static const int a[4] = {1};
int main(void) {
  klee_make_symbolic((void *)a, sizeof a, "a");
  return a[0];
}
