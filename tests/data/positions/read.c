// A file position from lseek with any offset and origin, then a read of any count.
#include "oracle.h"

int outcome(unsigned char a, unsigned char b) {
  char buffer[16] = {0};
  int file = open(NAME, O_RDONLY);
  long at = lseek(file, (signed char)a % 16, b >> 5);
  if (at < 0) return failed();
  long n = read(file, buffer, (b & 31) - 8);
  if (n < 0) return failed() + 1;
  return 10 + (int)(n * 16 + lseek(file, 0, SEEK_CUR)) + (buffer[0] == 'c') * 128;
}
