// expect: bug ptr line 13 "memory error: use after return"
// expect: exits 0
static int *escape(int n) {
  int local[2] = {n, n};
  int *volatile p = local;
  return p;
}
static int other(void) { volatile int a[2] = {7, 8}; return a[0]; }
int main(void) {
  int *p = escape(5);
  int r = other();
  int *q = p;
  return *q + r;
}
