// Inside one object members may overflow into each other; leaving the object is found.
// expect: bug ptr line 10 "memory error: out of bound pointer"
// expect: exits 0
static struct { char name[4]; int n; } s;
static volatile int i = 5;
int main(void) {
  s.name[i] = 1;
  if (s.n != 256) return 1;
  i = 8;
  s.name[i] = 1;
  return 0;
}
