// expect: bug user line 9 "longjmp to a jmp_buf that no live function has set"
// expect: exits 0
#include <setjmp.h>
static jmp_buf place;
static void set(void) { if (setjmp(place)) return; }
int main(void) {
  volatile int x = 0;
  set();
  longjmp(place, 1);
  return x;
}
