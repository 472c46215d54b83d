/* Opening, reading, writing, seeking and sizing files. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "show.h"

static char buffer[256];

static void show_file(const char *path) {
  int fd = open(path, O_RDONLY);
  long n = read(fd, buffer, sizeof buffer - 1);
  buffer[n < 0 ? 0 : n] = 0;
  for (long i = 0; i < n; i++)
    if (!buffer[i]) buffer[i] = '0';
  printf("%s: %ld \"%s\"\n", path, n, buffer);
  close(fd);
}

static void opening(void) {
  CALL(open("none", O_RDONLY));
  CALL(open("none/x", O_CREAT | O_WRONLY, 0644));
  CALL(open("host.txt/x", O_RDONLY));
  CALL(open("", O_RDONLY));
  CALL(open("sub", O_WRONLY));
  CALL(open("sub", O_RDONLY | O_DIRECTORY));
  CALL(open("host.txt", O_RDONLY | O_DIRECTORY));
  CALL(close(3));
  CALL(close(3));
  CALL(creat("new", 0600));
  CALL(write(3, "hello", 5));
  CALL(read(3, buffer, 5));
  CALL(close(3));
  CALL(open("new", O_CREAT | O_EXCL | O_RDWR, 0600));
  CALL(open("link", O_RDONLY | O_NOFOLLOW));
  CALL(open("loop", O_RDONLY));
  show_file("link");
  show_file("new");
}

static void reading(void) {
  struct iovec parts[3] = {{buffer, 3}, {buffer + 10, 0}, {buffer + 20, 100}};
  int fd = open("host.txt", O_RDONLY);
  CALL(readv(fd, parts, 3));
  printf("%.3s|%.7s\n", buffer, buffer + 20);
  CALL(read(fd, buffer, 10));
  CALL(lseek(fd, -4, SEEK_END));
  CALL(read(fd, buffer, 2));
  CALL(lseek(fd, 0, SEEK_CUR));
  CALL(pread(fd, buffer, 100, 5));
  CALL(pread(fd, buffer, 100, -1));
  CALL(lseek(fd, 100, SEEK_SET));
  CALL(read(fd, buffer, 10));
  CALL(lseek(fd, -1, SEEK_SET));
  CALL(lseek(fd, 0, 99));
  CALL(write(fd, "x", 1));
  CALL(read(99, buffer, 1));
  CALL(read(fd, NULL, 1));
  close(fd);
}

static void writing(void) {
  struct iovec parts[2] = {{"ab", 2}, {"cde", 3}};
  struct stat status;
  int fd = open("w", O_RDWR | O_CREAT | O_TRUNC, 0666);
  CALL(writev(fd, parts, 2));
  CALL(lseek(fd, 8, SEEK_SET));
  CALL(write(fd, "Z", 1));
  show_file("w");
  CALL(pwrite(fd, "YY", 2, 1));
  show_file("w");
  CALL(ftruncate(fd, 4));
  show_file("w");
  CALL(ftruncate(fd, 6));
  show_file("w");
  CALL(ftruncate(fd, -1));
  CALL(truncate("w", 2));
  CALL(truncate("none", 2));
  CALL(truncate("sub", 2));
  show_file("w");
  int appending = open("w", O_WRONLY | O_APPEND);
  CALL(write(appending, "1", 1));
  CALL(write(fd, "2", 1));
  CALL(write(appending, "3", 1));
  CALL(lseek(appending, 0, SEEK_CUR));
  CALL(fstat(fd, &status));
  SHOW(status.st_size);
  CALL(open("w", O_WRONLY | O_TRUNC));
  CALL(fstat(fd, &status));
  SHOW(status.st_size);
  CALL(posix_fallocate(fd, 0, 5));
  CALL(fstat(fd, &status));
  SHOW(status.st_size);
  CALL(fsync(fd));
  CALL(fdatasync(99));
}

static void changing_a_host_file(void) {
  int fd = open("host.txt", O_RDWR);
  CALL(write(fd, "HOST", 4));
  show_file("host.txt");
  int other = open("host.txt", O_RDONLY);
  CALL(unlink("host.txt"));
  CALL(open("host.txt", O_RDONLY));
  CALL(write(fd, "+", 1));
  CALL(read(other, buffer, 6));
  printf("%.6s\n", buffer);
}

int main(void) {
  opening();
  reading();
  writing();
  changing_a_host_file();
  return 0;
}
