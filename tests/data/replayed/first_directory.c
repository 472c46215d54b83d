// What a path decided about the directory in which it started holds in its replay, which may not even be allowed to look at it.
// run: --sym-stdin 4
// statuses: 1 2 3 4 5
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat input, here, above;
  if (fstat(0, &input) || stat(".", &here) || stat("..", &above)) return 99;
  if (here.st_ino == above.st_ino) return 98;
  if (input.st_dev != here.st_dev) return 1;
  if (input.st_ino == here.st_ino) return 2;
  if (input.st_ino == above.st_ino) return 3;
  if (input.st_mtime > here.st_mtime) return 4;
  return 5;
}
