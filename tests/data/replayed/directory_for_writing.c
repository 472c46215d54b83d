// A symbolic file that is open for writing is no directory, whichever way it is opened, and keeps what is written.
// run: --sym-files 2 4
// statuses: 1 2 3 5 6 7 10 11 12
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failure(int base) { return errno == EISDIR ? base : errno == EACCES ? base + 1 : 97; }

int main(void) {
  char buffer[8];
  struct stat status;
  int file = open("A", O_RDWR), copy;
  if (file < 0) return failure(1);
  if (read(file, buffer, 4) != 4) return 99;
  if (fstat(file, &status) || S_ISDIR(status.st_mode)) return 98;
  if (!S_ISREG(status.st_mode)) {
    if (ftruncate(file, 1) == 0 || errno != EINVAL || truncate("A", 1) == 0 || errno != EINVAL) return 96;
    return 3;
  }
  if (pwrite(file, "123456", 6, 2) != 6 || pread(file, buffer, 8, 0) != 8 || memcmp(buffer + 2, "123456", 6)) return 95;
  if (fstat(file, &status) || status.st_size != 8) return 94;
  copy = open("B", O_WRONLY | O_TRUNC);
  if (copy < 0) return failure(5);
  if (fstat(copy, &status) || !S_ISREG(status.st_mode)) return status.st_size == 4 ? 7 : 93;
  if (status.st_size != 0 || write(copy, buffer, 3) != 3) return 92;
  if (rename("A", "B")) return 85;
  if (access("A", F_OK) == 0 || access("B", W_OK)) return 91;
  if (stat("B", &status) || status.st_size != 8) return 90;
  if (link("B", "C") || unlink("B")) return 89;
  FILE *stream = fopen("C", buffer[0] == 'a' ? "a" : buffer[0] == 'r' ? "r+" : "w");
  if (!stream) return 88;
  fputs("xy", stream);
  fclose(stream);
  if (stat("C", &status)) return 87;
  switch (status.st_size) {
  case 10: return 10;
  case 8: return 11;
  case 2: return 12;
  default: return 86;
  }
}
