// A file without a name: holes, truncation, positions, appending.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(void) {
  unsigned char in;
  char bytes[32];
  struct stat facts;
  take(&in, 1);
  int file = memfd_create("scratch", 0);
  if (file < 0 || pwrite(file, "0123456789", 10, in & 15) != 10) return 90;
  if (ftruncate(file, 12)) return 91;
  ssize_t got = pread(file, bytes, sizeof bytes, 2);
  if (got != 10) return 92;
  int zeros = 0;
  for (int i = 0; i < 10; i++) zeros += bytes[i] == 0;
  if (in & 16) {
    int flags = fcntl(file, F_GETFL);
    fcntl(file, F_SETFL, flags | O_APPEND);
    lseek(file, 0, SEEK_SET);
    if (write(file, "ab", 2) != 2) return 93;
  }
  if (fstat(file, &facts)) return 96;
  return (int)facts.st_size * 10 + zeros;
}
