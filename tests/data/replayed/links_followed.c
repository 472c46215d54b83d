// A symbolic file that is a link is one for lstat and O_NOFOLLOW alone: whoever follows it meets a regular file.
// run: --sym-files 1 4
// statuses: 1 2
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat link, file, opened;
  char bytes[4];
  int descriptor;
  if (lstat("A", &link) || stat("A", &file)) return 3;
  if (S_ISLNK(file.st_mode)) return 4;
  if (!S_ISLNK(link.st_mode)) return file.st_mode == link.st_mode ? 1 : 5;
  if (!S_ISREG(file.st_mode)) return 6;
  if (open("A", O_RDONLY | O_NOFOLLOW) >= 0 || errno != ELOOP) return 7;
  descriptor = open("A", O_RDONLY);
  if (descriptor < 0) return errno == EACCES ? 2 : 8;
  if (fstat(descriptor, &opened) || !S_ISREG(opened.st_mode)) return 9;
  return read(descriptor, bytes, 4) == 4 ? 2 : 10;
}
