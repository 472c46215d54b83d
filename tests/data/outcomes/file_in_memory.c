// A database of records in a shared mapping that grows, read back by the file's calls.
// input: 3
// alphabet: 00 01 02 41 42 ff
#define _GNU_SOURCE
#include "outcome.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct record {
  unsigned char key, value;
  char pad[1022];
};
enum { FIRST = 4096, ALL = PROT_READ | PROT_WRITE };

int main(void) {
  unsigned char in[3];
  struct stat status;
  struct record back;
  take(in, sizeof in);
  int file = memfd_create("records", 0);
  if (file < 0 || ftruncate(file, FIRST)) return 90;
  struct record *records = mmap(0, FIRST, ALL, MAP_SHARED, file, 0);
  if (records == MAP_FAILED) return 91;
  for (int i = 0; i < 3; i++) {
    records[i].key = in[i];
    records[i].value = (unsigned char)(10 + i);
  }
  if (lseek(file, 1024, SEEK_SET) != 1024 || read(file, &back, sizeof back) != sizeof back) return 92;
  if (back.key != in[1] || back.value != 11) return 93;
  if (ftruncate(file, 2 * FIRST)) return 94;
  records = mremap(records, FIRST, 2 * FIRST, MREMAP_MAYMOVE);
  if (records == MAP_FAILED) return 95;
  records[7].key = 'z';
  back.key = 'B';
  if (pwrite(file, &back, sizeof back, 4 * 1024) != sizeof back) return 96;
  if (fstat(file, &status) || status.st_size != 2 * FIRST) return 97;
  munmap(records, 2 * FIRST);
  records = mmap(0, 2 * FIRST, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  for (int i = 0; i < 8; i++) {
    if (records[i].key == 'A') return 20 + i;
    if (records[i].key == 'z') return 30 + i;
  }
  return 98;
}
