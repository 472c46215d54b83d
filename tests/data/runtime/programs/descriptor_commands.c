// What fcntl says of descriptors, the capacity of pipes, and the paths that /proc/self/fd leads to.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show.h"

static char bytes[80000];

static void name_of(int file) {
  char link[50], text[300], *last;
  sprintf(link, "/proc/self/fd/%d", file);
  ssize_t n = readlink(link, text, sizeof text - 1);
  text[n < 0 ? 0 : n] = 0, last = strrchr(text, '/');
  printf("%s\n", last ? last : text);
}

static void names(void) {
  int file = open("f", O_CREAT | O_RDWR, 0600), path = open("f", O_PATH), folder, inner, memory = memfd_create("memory", 0);
  name_of(file), name_of(path), rename("f", "g"), name_of(file), unlink("g"), name_of(file), name_of(memory);
  mkdir("d", 0777), folder = open("d", O_RDONLY), name_of(folder), inner = open("d/x", O_CREAT | O_WRONLY, 0600), name_of(inner), rename("d", "e"), name_of(inner), name_of(folder), link("e/x", "y"), unlink("e/x"), name_of(open("y", O_RDONLY)), name_of(open("/dev/null", O_RDONLY));
  CALL(fcntl(path, F_GETFL)), CALL(fcntl(path, F_SETFL, 0)), CALL(fcntl(path, F_GETLEASE)), CALL(fcntl(path, F_SETFD, 1)), CALL(fcntl(path, F_GETFD));
  CALL(fcntl(file, F_GETLEASE)), CALL(fcntl(file, F_GETSIG)), CALL(fcntl(file, F_SETSIG, 0)), CALL(fcntl(file, F_SETSIG, 65)), CALL(fcntl(file, F_SETOWN, getpid())), CALL(fcntl(file, F_GETOWN) == getpid());
}

int main(void) {
  int p[2];
  pipe(p), names();
  CALL(fcntl(p[0], F_GETPIPE_SZ)), CALL(fcntl(p[0], F_SETPIPE_SZ, 4096)), CALL(fcntl(p[1], F_SETFL, O_NONBLOCK)), CALL(write(p[1], bytes, 80000)), CALL(fcntl(p[1], F_SETPIPE_SZ, 100000)), CALL(write(p[1], bytes, 80000)), CALL(fcntl(p[1], F_SETPIPE_SZ, 4096)), CALL(fcntl(p[1], F_GETPIPE_SZ)), CALL(read(p[0], bytes, 80000)), CALL(fcntl(p[1], F_SETPIPE_SZ, 4096)), CALL(read(p[0], bytes, 80000)), CALL(fcntl(p[1], F_SETPIPE_SZ, 0)), CALL(fcntl(p[1], F_SETPIPE_SZ, -1)), CALL(fcntl(p[1], F_SETPIPE_SZ, 1 << 20)), CALL(fcntl(0, F_SETPIPE_SZ, 4096));
  return 0;
}
