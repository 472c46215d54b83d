// expect: bug overflow line 6 "integer division overflow"
// expect: exits 0
#include <stdint.h>
int main(void) {
  volatile int64_t left = INT64_MIN, right = -1;
  return (int)(left / right);
}
