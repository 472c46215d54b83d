// pread at any offset with any count of a byte, where all counts from the file's end on are the same.
#include "oracle.h"

int outcome(unsigned char a, unsigned char b) {
  char buffer[8] = {0};
  int file = open(NAME, O_RDWR);
  long n = pread(file, buffer, b, (signed char)a);
  if (n < 0) return failed();
  return 10 + (int)n * 8 + buffer[0] % 8;
}
