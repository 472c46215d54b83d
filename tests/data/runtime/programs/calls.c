/* System calls by number, for those that libc wraps thinly or not at all. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "show.h"

int main(void) {
  char text[100] = {0};
  int in = open("host.txt", O_RDONLY), out = open("copy", O_RDWR | O_CREAT, 0644);
  off_t at = 5;
  CALL(syscall(SYS_copy_file_range, in, NULL, out, NULL, 4, 0));
  CALL(syscall(SYS_copy_file_range, in, &at, out, NULL, 100, 0));
  SHOW(at);
  CALL(syscall(SYS_copy_file_range, out, NULL, in, NULL, 4, 0));
  CALL(sendfile(out, in, NULL, 100));
  SHOW(lseek(in, 0, SEEK_CUR));
  pread(out, text, 99, 0);
  SHOW_TEXT(text);

  struct statx extended;
  CALL(syscall(SYS_statx, AT_FDCWD, "host.txt", 0, STATX_BASIC_STATS, &extended));
  SHOW(extended.stx_size);
  SHOW(S_ISREG(extended.stx_mode));
  SHOW(extended.stx_nlink);
  SHOW((extended.stx_mask & STATX_BASIC_STATS) == STATX_BASIC_STATS);
  CALL(syscall(SYS_statx, in, "", AT_EMPTY_PATH, STATX_SIZE, &extended));
  CALL(syscall(SYS_statx, in, "", 0, STATX_SIZE, &extended));
  CALL(syscall(SYS_statx, AT_FDCWD, "none", 0, STATX_SIZE, &extended));

  CALL(syscall(SYS_renameat2, AT_FDCWD, "copy", AT_FDCWD, "moved", 1));
  CALL(syscall(SYS_renameat2, AT_FDCWD, "moved", AT_FDCWD, "host.txt", 1));
  CALL(syscall(SYS_renameat2, AT_FDCWD, "moved", AT_FDCWD, "host.txt", 2));
  struct stat status;
  stat("moved", &status);
  SHOW(status.st_size);
  CALL(syscall(SYS_faccessat2, AT_FDCWD, "moved", R_OK, 0));
  CALL(syscall(SYS_faccessat2, AT_FDCWD, "moved", 99, 0));
  struct statfs system;
  CALL(statfs("none", &system));
  CALL(statfs(".", &system));
  SHOW(system.f_namelen);
  struct sysinfo machine;
  CALL(sysinfo(&machine));
  SHOW(machine.totalram * machine.mem_unit > 1 << 20);
  SHOW(syscall(SYS_getrandom, text, 16, 0));
  CALL(lseek(in, 3, SEEK_DATA));
  CALL(lseek(in, 3, SEEK_HOLE));
  CALL(lseek(in, 30, SEEK_DATA));
  CALL(syscall(SYS_fallocate, out, 0, 0, 50));
  fstat(out, &status);
  SHOW(status.st_size);
  CALL(syscall(SYS_close_range, in, 1000, 0));
  CALL(syscall(SYS_close_range, 5, 4, 0));
  CALL(read(in, text, 1));
  int memory = (int)syscall(SYS_memfd_create, "name", 0);
  SHOW(memory);
  CALL(write(memory, "in memory", 9));
  CALL(lseek(memory, 3, SEEK_SET));
  CALL(read(memory, text, 99));
  printf("%.6s\n", text);
  fstat(memory, &status);
  SHOW(status.st_nlink);
  CALL(syscall(SYS_mknod, "node", S_IFREG | 0644, 0));
  CALL(syscall(SYS_mknod, "node", S_IFREG | 0644, 0));
  CALL(syscall(SYS_mknod, "other", S_IFDIR | 0644, 0));
  CALL(flock(memory, 2));
  CALL(flock(99, 2));
  CALL(syscall(SYS_kill, 0x3fffffff, 0));
  CALL(syscall(SYS_socket, 999, 1, 0));
  CALL(syscall(SYS_connect, memory, text, 16));
  CALL(syscall(SYS_tgkill, -1, 1, 0));
  return 0;
}
