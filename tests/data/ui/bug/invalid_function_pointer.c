// expect: bug exec line 5 "invalid function pointer"
// expect: exits 0
int main(void) {
  int (*volatile f)(void) = (int (*)(void))0x1234;
  return f();
}
