// A file that the program wrote, read at a position that the input names, from three origins.
// input: 3
// alphabet: 00 01 02 03 10 1f 20 21 7f 80 e0 ff
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>

int main(void) {
  unsigned char in[3], content[32], byte = 200;
  take(in, sizeof in);
  int file = open("/tmp/homi-outcome-seek", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return 248;
  unlink("/tmp/homi-outcome-seek");
  for (int i = 0; i < 32; i++) content[i] = 2 * i;
  if (write(file, content, 32) != 32 || lseek(file, 16, SEEK_SET) != 16) return 247;
  int origin = in[0] % 4;
  off_t at = lseek(file, (signed char)in[1], origin == 0   ? SEEK_SET
                                             : origin == 1 ? SEEK_CUR
                                             : origin == 2 ? SEEK_END
                                                           : 99);
  if (at < 0) return each(errno == EINVAL ? 100 : 101);
  if (in[2] & 1) {
    if (write(file, "!", 1) != 1) return 102;
    off_t end = lseek(file, 0, SEEK_END);
    if (end != (at < 32 ? 32 : at + 1)) return 103;
    return each(110 + (end > 32) + 2 * (end > 64));
  }
  ssize_t got = read(file, &byte, 1);
  return each(got == 1 ? byte : got == 0 ? 80 : 104);
}
