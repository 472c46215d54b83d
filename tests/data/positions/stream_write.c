// fwrite of any size and number between seeks in a stream for both.
#include "oracle.h"

int outcome(unsigned char a, unsigned char b) {
  char buffer[64] = {0};
  FILE *file = fopen(NAME, "r+");
  if (fseek(file, a & 7, SEEK_SET)) return failed();
  size_t n = fwrite("0123456789abcdefghijklmnopqrstuvwxyz", a >> 6, b & 7, file);
  if (fseek(file, 0, SEEK_SET)) return failed() + 1;
  size_t all = fread(buffer, 1, sizeof buffer, file);
  return 10 + (int)n * 16 + (int)all / 2 + (buffer[4] == '0') * 128;
}
