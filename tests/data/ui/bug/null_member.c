// expect: bug ptr line 6 "memory error: null page access"
// expect: exits 0
struct s { int a[10]; int b; };
int main(void) {
  struct s *volatile p = 0;
  p->b = 1;
  return 0;
}
