// Reads at symbolic places of tables of 65,536 and a million bytes, and of what was written there at symbolic places.
// expect: exits 7
// expect: statuses 0 1 2 3 4 5
// level: -O0
#include <klee/klee.h>
#include <string.h>
static unsigned short table[1 << 15];
static unsigned char bytes[1 << 20];
int main(void) {
  unsigned short x, y;
  for (unsigned i = 0; i < 1 << 15; i++)
    table[i] = i * 3;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  if (x >= 1 << 15 || y >= 1 << 15)
    return 0;
  if (table[x] == 51)
    return x == 17 ? 1 : 100;
  unsigned char *p = bytes + 500000;
  p[x] = 7;
  if (p[y] == 7) {
    if (x != y)
      return 101;
    return 2;
  }
  p[20] = 9;
  if (p[x] == 9)
    return x == 20 ? 3 : 102;
  if (p[x] != 7 || bytes[x] || p[-1] || p[20] != 9)
    return 103;
  memset(p, 1, 30000);
  if (p[x] == 7)
    return x < 30000 ? 104 : 4;
  return p[x] == 1 ? 5 : 105;
}
