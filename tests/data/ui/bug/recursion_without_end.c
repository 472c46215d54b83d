// A limit ends the path.
// expect: early 1
// expect: exits 0
static volatile int zero;
static int down(int n) { int here = n + 1; return zero ? n : down(here) + 1; }
int main(void) { return down(0); }
