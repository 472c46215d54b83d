// expect: bug ptr line 6 "memory error: out of bound pointer"
// expect: exits 0
static volatile int four = 4;
int main(void) {
  int a[4] = {0}, b[4] = {0};
  a[four] = b[0];
  return 0;
}
