// Every function that a pointer of scattered bytes may be is called, and what is none is found.
// expect: bug exec line 20 "invalid function pointer"
// expect: exits 3
// expect: statuses 1 2 3
#include <klee/klee.h>
#include <string.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int three(void) { return 3; }
typedef int (*function)(void);
int main(void) {
  unsigned char all[4][sizeof(function)], x;
  function some[3] = {one, two, three}, chosen;
  for (int i = 0; i < 3; i++) memcpy(all[i], &some[i], sizeof chosen);
  memset(all[3], 1, sizeof chosen);
  klee_make_symbolic(&x, sizeof x, "x");
  for (unsigned i = 0; i < sizeof chosen; i++) ((unsigned char *)&chosen)[i] = all[x % 4][i] ^ 0x5a;
  for (unsigned i = 0; i < sizeof chosen; i++) ((unsigned char *)&chosen)[i] ^= 0x5a;
  int seen = 0;
  seen += chosen();
  return seen;
}
