// expect: exits 3
// expect: statuses 10 20 30
#include <klee/klee.h>
static int ten(void) { return 10; }
static int twenty(void) { return 20; }
static int thirty(void) { return 30; }
static int (*const table[])(void) = {ten, twenty, thirty};
int main(void) { return table[klee_range(0, 3, "i")](); }
