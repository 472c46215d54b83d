// fseek and fread with any offset, origin, size and number.
#include "oracle.h"

int outcome(unsigned char a, unsigned char b) {
  char buffer[64] = {0};
  FILE *file = fopen(NAME, "r");
  if (fgetc(file) != 'a') return 1;
  if (fseek(file, (signed char)a >> 4, a & 3)) return failed();
  size_t n = fread(buffer, b & 3, b >> 4, file);
  return 10 + (int)n * 8 + (int)ftell(file) + (feof(file) != 0) * 128;
}
