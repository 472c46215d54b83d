// readv and writev with symbolic lengths and a symbolic number of parts.
#include "oracle.h"
#include <sys/uio.h>

int outcome(unsigned char a, unsigned char b) {
  char first[8] = {0}, second[8] = {0}, third[8] = {0};
  struct iovec parts[3] = {{first, a & 7}, {second, a >> 3 & 7}, {third, b & 7}};
  int file = open(NAME, O_RDWR);
  long n = readv(file, parts, (b >> 4) - 12);
  if (n < 0) return failed();
  long m = writev(file, parts, a >> 6);
  if (m < 0) return failed() + 1;
  return 10 + (int)(n * 16 + m) % 200 + (second[0] == 'b');
}
