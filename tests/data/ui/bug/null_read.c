// expect: bug ptr line 5 "memory error: null page access"
// expect: exits 0
int main(void) {
  int *volatile p = 0;
  return *p;
}
