// The program runs as the same ordinary user whoever runs homi: its files are that user's, permissions stop it.
// run: --sym-files 1 2
// statuses: 1 2 3 4
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat status;
  int file;
  if (getuid() != 1000 || geteuid() != 1000 || getgid() != 1000 || getegid() != 1000) return 99;
  if (stat(".", &status) || status.st_uid != 1000 || status.st_gid != 1000) return 98;
  if (stat("/", &status) || status.st_uid != 0) return 97;
  if (open("/made", O_CREAT | O_WRONLY, 0600) >= 0 || errno != EACCES) return 96;
  file = open("made", O_CREAT | O_WRONLY, 0);
  if (file < 0 || open("made", O_RDONLY) >= 0 || errno != EACCES) return 95;
  if (setuid(0) == 0 || setuid(1000)) return 94;
  if (stat("A", &status)) return 93;
  if (access("A", R_OK)) return open("A", O_RDONLY) < 0 ? 1 : 92;
  if (chmod("A", 0600)) return errno == EPERM && status.st_uid != 1000 ? 2 : 91;
  if (chown("A", 0, -1) == 0 || chown("A", 1000, 1000)) return 90;
  if (open("A", O_WRONLY) < 0) return errno == EISDIR ? 3 : 89;
  return 4;
}
