// A fixed number of hexadecimal digits of symbolic numbers needs no fork, and has the digits of any other way to write them.
// run: --sym-stdin 3
// statuses: 1
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *hex(char *to, unsigned long value, int digits, const char *alphabet) {
  for (int shift = 4 * digits - 4; shift >= 0; shift -= 4) *to++ = alphabet[value >> shift & 15];
  return to;
}

int main(void) {
  unsigned char b[3];
  char out[64], expected[64], *end = expected;
  const char *lower = "0123456789abcdef", *upper = "0123456789ABCDEF";
  if (read(0, b, sizeof b) != sizeof b) return 9;
  int length = snprintf(out, sizeof out, "%02x%02X|%.4x|%4.2x|%08lx", b[0], b[1], b[2] * 3u, b[0], (unsigned long)b[2] << 20);
  end = hex(hex(end, b[0], 2, lower), b[1], 2, upper);
  end = hex(strcpy(end, "|") + 1, b[2] * 3u, 4, lower);
  end = hex(strcpy(end, "|  ") + 3, b[0], 2, lower);
  end = hex(strcpy(end, "|") + 1, (unsigned long)b[2] << 20, 8, lower);
  if (length != end - expected) return 2;
  return memcmp(out, expected, (size_t)length) ? 3 : 1;
}
