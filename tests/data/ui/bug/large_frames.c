// Locals count: a thousand calls with 16 KiB each do not fit.
// expect: bug stack line 7 "memory error: stack overflow"
// expect: exits 0
static int deep(int n) {
  volatile char room[16384];
  room[n & 16383] = 1;
  return n ? deep(n - 1) + room[0] : 0;
}
int main(void) { return deep(1000); }
