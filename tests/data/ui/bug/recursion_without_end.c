// What no native stack of 8 MiB has room for is a bug.
// expect: bug stack line 5 "memory error: stack overflow"
// expect: exits 0
static volatile int zero;
static int down(int n) { int here = n + 1; return zero ? n : down(here) + 1; }
int main(void) { return down(0); }
