// A symbolic file may be a directory: opening it for writing fails, reading it after opening does.
// run: --sym-files 1 4
// statuses: 1 3 4 5
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>

int main(void) {
  char got[4];
  int file = open("A", O_RDWR);
  if (file >= 0) {
    if (read(file, got, 4) < 0) return each(errno == EISDIR ? 100 : 101);
    if (write(file, got, 1) < 0) return 102;
    return 1;
  }
  if (errno == EISDIR) {
    file = open("A", O_RDONLY);
    if (file < 0) return 3;
    return each(read(file, got, 4) < 0 && errno == EISDIR ? 4 : 103);
  }
  return each(errno == EACCES ? 5 : 6);
}
