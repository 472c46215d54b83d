// inotify: what the program itself does to files that are watched.
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <dirent.h>
#include <unistd.h>

#include "show.h"

static int queue;
static uint32_t cookies[16], known;

/* Cookies are numbered as they come: what they are is the kernel's. */
static int cookie_number(uint32_t cookie) {
  uint32_t i;
  if (!cookie) return 0;
  for (i = 0; i < known && cookies[i] != cookie; i++) {}
  if (i == known) cookies[known++] = cookie;
  return (int)i + 1;
}

static void show_events(const char *after) {
  static char buffer[4096] __attribute__((aligned(8)));
  long n = read(queue, buffer, sizeof buffer), at = 0;
  printf("%s:", after);
  if (n < 0) printf(" errno %d", errno);
  while (at < n) {
    struct inotify_event *event = (void *)(buffer + at);
    printf(" [%d %#x %d %u %s]", event->wd, event->mask, cookie_number(event->cookie), event->len, event->len ? event->name : "");
    at += sizeof *event + event->len;
  }
  printf("\n");
}
#define DO(expression) ((void)(expression), show_events(#expression))

static int touch(const char *name) { return close(open(name, O_WRONLY | O_CREAT, 0644)); }

static void files(void) {
  int file, count = -1;
  struct pollfd entry;
  char byte;
  queue = CALL(inotify_init1(IN_NONBLOCK | IN_CLOEXEC) >= 0) ? inotify_init1(IN_NONBLOCK) : -1;
  entry = (struct pollfd){queue, POLLIN};
  mkdir("d", 0755);
  CALL(inotify_add_watch(queue, "d", IN_ALL_EVENTS)), show_events("nothing"), CALL(poll(&entry, 1, 0));
  DO(touch("d/file")), file = open("d/file", O_RDWR), CALL(poll(&entry, 1, 0)), SHOW(entry.revents), CALL(ioctl(queue, FIONREAD, &count)), SHOW(count), show_events("open");
  DO(write(file, "abc", 3)), DO((write(file, "d", 1), write(file, "e", 1))), DO(pread(file, &byte, 1, 0)), DO(read(file, &byte, 1)), DO(ftruncate(file, 2)), DO(fchmod(file, 0600)), DO(close(file));
  DO(chmod("d/file", 0644)), DO(utimensat(AT_FDCWD, "d/file", NULL, 0)), DO(truncate("d/file", 1)), DO(link("d/file", "d/other")), DO(symlink("file", "d/link")), DO(mkdir("d/deep", 0755)), DO(touch("d/deep/inner"));
  DO(rename("d/file", "d/a much longer name than the others")), DO(rename("d/other", "d/deep/away")), DO(rename("d/deep/away", "d/back")), DO(unlink("d/back")), DO(unlink("d/link")), DO(unlink("d/deep/inner")), DO(rmdir("d/deep"));
  DO(rename("d/a much longer name than the others", "d/x")), touch("d/y"), show_events("touch"), DO(rename("d/x", "d/y")), DO(unlink("d/y")), DO(mkfifo("d/fifo", 0600)), DO(unlink("d/fifo"));
  DIR *listing = opendir("d");
  show_events("opendir"), DO(readdir(listing)), DO(closedir(listing)), DO(rmdir("d")), CALL(inotify_rm_watch(queue, 1));
}

static void watches(void) {
  char small[20];
  int first, second, third, other = inotify_init();
  touch("f"), mkdir("e", 0700);
  first = CALL(inotify_add_watch(queue, "f", IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)), second = CALL(inotify_add_watch(queue, "e", IN_CREATE | IN_ONLYDIR)), third = CALL(inotify_add_watch(queue, "link", IN_OPEN | IN_ONESHOT | IN_DONT_FOLLOW));
  CALL(inotify_add_watch(queue, "f", IN_MODIFY | IN_MASK_CREATE)), CALL(inotify_add_watch(queue, "f", IN_ONLYDIR | IN_OPEN)), CALL(inotify_add_watch(queue, "nosuch", IN_OPEN)), CALL(inotify_add_watch(queue, "f", 0)), CALL(inotify_add_watch(1, "f", IN_OPEN)), CALL(inotify_add_watch(77, "f", IN_OPEN)), CALL(inotify_rm_watch(queue, 99)), CALL(inotify_init1(1));
  DO(truncate("f", 3)), DO(rename("f", "g")), DO(chmod("g", 0600)), CALL(inotify_add_watch(queue, "g", IN_OPEN | IN_MASK_ADD)), DO(touch("g")), CALL(inotify_add_watch(queue, "g", IN_CLOSE)), DO(touch("g")), DO(touch("e/1"));
  CALL(inotify_add_watch(other, "g", IN_CLOSE_WRITE)), DO(touch("g")), CALL(read(other, small, 15)), CALL(read(other, small, 16)), DO(inotify_rm_watch(queue, second)), DO(touch("e/2"));
  touch("h"), CALL(inotify_add_watch(queue, "h", IN_ALL_EVENTS)), CALL(inotify_add_watch(queue, "g", IN_ALL_EVENTS)), DO(rename("h", "g"));
  int file = open("g", O_RDONLY);
  show_events("open"), DO(unlink("g")), DO(close(file)), mkdir("m", 0755), CALL(inotify_add_watch(queue, "m", IN_ALL_EVENTS)), DO(rename("m", "n")), DO(rmdir("n"));
  CALL(inotify_add_watch(queue, "e", IN_CREATE | IN_ONESHOT)), DO(touch("e/3")), DO(touch("e/4")), CALL(lseek(queue, 0, SEEK_CUR)), CALL(write(queue, "x", 1)), CALL(close(other)), CALL(close(queue));
}

int main(void) {
  files(), watches();
  return 0;
}
