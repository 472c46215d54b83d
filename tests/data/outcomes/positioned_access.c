// pread and pwrite with an offset and a count of the input; the file's own position stays.
// input: 4
// alphabet: 00 01 02 08 0f 10 11 80 ff
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <string.h>

int main(void) {
  unsigned char in[4], content[16], got[40];
  take(in, sizeof in);
  int file = memfd_create("records", 0);
  if (file < 0) return 248;
  for (int i = 0; i < 16; i++) content[i] = i + 1;
  if (write(file, content, 16) != 16) return 247;
  off_t offset = (signed char)in[0];
  ssize_t wrote = pwrite(file, "abc", in[2] & 3, offset);
  if (wrote < 0) return each(errno == EINVAL && offset < 0 ? 60 : 61);
  memset(got, 0, sizeof got);
  ssize_t count = pread(file, got, in[1] & 31, offset + 1);
  if (count < 0) return 62;
  if (lseek(file, 0, SEEK_CUR) != 16) return 63;
  struct stat facts;
  if (fstat(file, &facts)) return 64;
  off_t size = wrote && offset + wrote > 16 ? offset + wrote : 16;
  if (facts.st_size != size) return 65;
  if (in[3] == 7) return each(70 + (int)count);
  return each(count ? got[0] : 50);
}
