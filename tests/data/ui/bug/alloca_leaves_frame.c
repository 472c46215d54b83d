// expect: bug ptr line 8 "memory error: use after return"
// expect: exits 0
#include <alloca.h>
static char *make(int n) { char *p = alloca(n); p[0] = 1; return p; }
int main(void) {
  volatile int n = 10;
  char *p = make(n);
  return p[0];
}
