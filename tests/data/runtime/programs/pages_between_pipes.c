/* tee and splice: between pipes, from and to files, with little room, at the end, and what they refuse. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void show(const char *what, long result) { printf("%s: %ld %d\n", what, result, result < 0 ? errno : 0); }

static void waiting(const char *what, int fd) {
  int bytes = -1;
  ioctl(fd, FIONREAD, &bytes);
  printf("  %s has %d\n", what, bytes);
}

static void between(void) {
  char text[20] = "";
  int a[2], b[2];
  pipe2(a, O_NONBLOCK), pipe2(b, O_NONBLOCK);
  show("tee of nothing", tee(a[0], b[1], 9, SPLICE_F_NONBLOCK));
  write(a[1], "abcdef", 6);
  show("tee", tee(a[0], b[1], 4, 0)), waiting("a", a[0]), waiting("b", b[0]);
  show("tee", tee(a[0], b[1], 99, 0)), waiting("a", a[0]), waiting("b", b[0]);
  show("splice", splice(a[0], NULL, b[1], NULL, 2, 0)), waiting("a", a[0]), waiting("b", b[0]);
  show("splice", splice(a[0], NULL, b[1], NULL, 99, 0)), waiting("a", a[0]), waiting("b", b[0]);
  show("read", read(b[0], text, sizeof text - 1)), puts(text);
  show("splice of nothing", splice(a[0], NULL, b[1], NULL, 9, 0));
  fcntl(b[1], F_SETPIPE_SZ, 4096);
  write(a[1], "1", 1), write(b[1], "2", 1);
  show("splice into a full pipe", splice(a[0], NULL, b[1], NULL, 1, 0)), waiting("a", a[0]);
  show("tee into a full pipe", tee(a[0], b[1], 1, 0));
  show("same", splice(a[0], NULL, a[1], NULL, 1, 0)), show("same", tee(a[0], a[1], 1, 0));
  close(b[0]);
  show("no reader", splice(a[0], NULL, b[1], NULL, 1, 0));
  close(a[1]);
  show("rest", read(a[0], text, 9)), show("end", splice(a[0], NULL, b[1], NULL, 1, 0));
}

static void files(void) {
  char text[20] = "";
  int a[2], file = open("spliced", O_RDWR | O_CREAT, 0644);
  off_t from = 3;
  pipe2(a, O_NONBLOCK);
  write(file, "0123456789", 10);
  show("at the end", splice(file, NULL, a[1], NULL, 5, 0));
  show("from 3", splice(file, &from, a[1], NULL, 4, 0)), printf("  %ld\n", (long)from);
  lseek(file, 8, SEEK_SET);
  show("from 8", splice(file, NULL, a[1], NULL, 99, 0)), show("place", lseek(file, 0, SEEK_CUR)), waiting("a", a[0]);
  from = 1;
  show("to 1", splice(a[0], NULL, file, &from, 2, 0)), printf("  %ld\n", (long)from);
  show("to the end", splice(a[0], NULL, file, NULL, 99, 0)), waiting("a", a[0]);
  show("nothing", splice(a[0], NULL, file, NULL, 99, 0));
  show("read", pread(file, text, sizeof text - 1, 0)), puts(text);
  show("offset of a pipe", splice(a[0], &from, file, NULL, 1, 0)), show("offset of a pipe", splice(file, NULL, a[1], &from, 1, 0));
  show("two files", splice(file, NULL, file, NULL, 1, 0)), show("a file", tee(file, a[1], 1, 0));
  show("no bytes", splice(a[0], NULL, a[1], NULL, 0, 0)), show("no bytes", tee(99, 99, 0, 0));
  show("flags", splice(a[0], NULL, file, NULL, 1, 64)), show("flags", tee(a[0], a[1], 0, 64));
  show("no descriptor", splice(99, NULL, file, NULL, 1, 0)), show("no descriptor", tee(a[0], 99, 1, 0));
  show("not readable", splice(a[1], NULL, file, NULL, 1, 0)), show("not writable", splice(file, NULL, a[0], NULL, 1, 0));
  fcntl(file, F_SETFL, O_APPEND);
  write(a[1], "x", 1);
  show("appending", splice(a[0], NULL, file, NULL, 1, 0));
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  between();
  files();
  return 0;
}
