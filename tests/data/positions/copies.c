// sendfile and copy_file_range from any offset and of any count.
#include "oracle.h"
#include <sys/sendfile.h>

int outcome(unsigned char a, unsigned char b) {
  char buffer[16] = {0};
  off_t from = (signed char)a >> 3;
  int file = open(NAME, O_RDONLY), other = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
  long n = b & 128 ? sendfile(other, file, &from, b & 15) : copy_file_range(file, &from, other, 0, b & 15, 0);
  if (n < 0) return failed();
  long all = pread(other, buffer, sizeof buffer, 0);
  return 10 + (int)n * 8 + (int)all + (buffer[0] == 'c') * 64 + (from == 6) * 128;
}
