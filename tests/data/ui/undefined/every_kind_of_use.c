// expect: bug undef line 22 "switch on an undefined value"
// expect: bug undef line 29 "division by an undefined value"
// expect: bug undef line 30 "allocation of an undefined size"
// expect: bug undef line 32 "use of an undefined number"
// expect: bug undef line 33 "call of an undefined function pointer"
// expect: bug exec line 33 "invalid function pointer"
// level: -O0
#include <stdlib.h>
#include <string.h>

struct all {
  int choice, divisor;
  size_t size, count;
  void (*function)(void);
};

int main(void) {
  struct all a;
  char from[4] = "abc", to[4] = "";
  int sum = 0;
  a.choice &= 0x7f0000ff;
  switch (a.choice) {
  case 1:
    return 1;
  case 2:
    return 2;
  }
  a.divisor |= 1;
  sum += 100 / a.divisor;
  char *p = malloc(a.size & 3);
  a.count &= 3;
  memcpy(to, from, a.count);
  a.function();
  return p == 0;
}
