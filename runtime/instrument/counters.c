/* Branch counters of a program built by `homi instrument`: one byte per branch side, in a file shared by
 * mapping, so that counts survive _exit, exec, crashes and SIGKILL without anything done at the end, and
 * several processes and runs add up.
 *
 * File (named by HOMI_COVERAGE_FILE): 8 bytes "homicov1", the number of sides as 8 bytes little endian,
 * then one byte per side, 1 if taken. Without the variable, or if the file cannot be made, counting goes to
 * memory that is never read. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER 16

/* Defined by the instrumented module. */
extern unsigned char __homi_branch_fallback[];
extern const uint64_t __homi_branch_sides;
extern unsigned char *__homi_branch_counters;

static void complain(const char *reason) {
  static const char prefix[] = "homi instrument: HOMI_COVERAGE_FILE: ";
  if (write(2, prefix, sizeof prefix - 1) < 0 || write(2, reason, strlen(reason)) < 0)
    return;
}

/* A file of the right size and header, or a descriptor below 0. */
static int open_counts(const char *path, size_t size) {
  struct stat status;
  char header[HEADER] = "homicov1";
  uint64_t sides = __homi_branch_sides;
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || fstat(file, &status) < 0)
    return -1;
  memcpy(header + 8, &sides, 8);
  if (status.st_size != 0 && (size_t)status.st_size != size)
    return close(file), -2;
  if (status.st_size == 0 && (ftruncate(file, (off_t)size) < 0 || pwrite(file, header, HEADER, 0) != HEADER))
    return close(file), -1;
  return file;
}

/* Before every other constructor; what ran until then counted into the fallback. */
__attribute__((constructor(101))) static void map_counts(void) {
  const char *path = getenv("HOMI_COVERAGE_FILE");
  size_t size = HEADER + __homi_branch_sides, index;
  unsigned char *mapped;
  int file;
  if (!path || !*path)
    return;
  file = open_counts(path, size);
  if (file < 0) {
    complain(file == -2 ? "the file belongs to another program\n" : "cannot open or write the file\n");
    return;
  }
  mapped = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) {
    complain("cannot map the file\n");
    return;
  }
  for (index = 0; index < __homi_branch_sides; index++)
    if (__homi_branch_fallback[index])
      mapped[HEADER + index] = 1;
  __homi_branch_counters = mapped + HEADER;
}
