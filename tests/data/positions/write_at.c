// pwrite at any offset, ftruncate to any size.
#include "oracle.h"

int outcome(unsigned char a, unsigned char b) {
  char buffer[40] = {0};
  int file = open(NAME, O_RDWR);
  long n = pwrite(file, "XY", 2, (signed char)(a - 4) >> 2);
  if (n < 0) return failed();
  if (ftruncate(file, (signed char)(b - 8) >> 2) < 0) return failed() + 1;
  n = pread(file, buffer, sizeof buffer, 0);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += buffer[i] == 'X' ? i : 0;
  return 10 + (int)n * 3 + sum % 3;
}
