// One path per length, and the one that runs past the end.
// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 3
// expect: statuses 0 1 2
#include <klee/klee.h>
#include <string.h>
int main(void) { char a[3]; klee_make_symbolic(a, 3, "a"); return (int)strlen(a); }
