// Frames come and go without using anything up.
// expect: exits 1
// expect: statuses 100
// level: -O0
static void increment(int *x) { char pad[9]; pad[8] = 1; *x += pad[8]; }
int main(void) {
  int x = 0;
  for (int i = 0; i < 20000; i++) increment(&x);
  return x / 200;
}
