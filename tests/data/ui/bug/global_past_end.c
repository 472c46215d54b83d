// expect: bug ptr line 6 "memory error: out of bound pointer"
// expect: exits 0
static int a[4], b[4];
static volatile int four = 4;
int main(void) {
  return a[four] + b[0];
}
