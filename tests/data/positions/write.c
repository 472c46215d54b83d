// A write of any count at any position, beyond the end, too; then the file is read again.
#include "oracle.h"

int outcome(unsigned char a, unsigned char b) {
  char buffer[40] = {0};
  int file = open(NAME, O_RDWR | (a & 128 ? O_APPEND : 0));
  long n = lseek(file, a & 15, SEEK_SET);
  if (n < 0) return failed();
  n = write(file, "0123456789abcdefghijklmnopqrstuvw", b & 31);
  if (n < 0) return failed() + 1;
  n = pread(file, buffer, sizeof buffer, 0);
  return 10 + (int)n * 4 + (buffer[5] == 'f') + 2 * (buffer[n - 1] == 0);
}
