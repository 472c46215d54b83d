// expect: exits 0
// expect: silent 1
#include <klee/klee.h>
int main(void) { return (int)klee_choose(0); }
