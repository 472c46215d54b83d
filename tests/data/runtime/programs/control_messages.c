// What goes along with the bytes of a socket pair: open files (SCM_RIGHTS) and who says to have sent them (SCM_CREDENTIALS).
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "show.h"

static int ends[2];

static void make(int type) { printf("-- type %d\n", type), CALL(socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, ends)); }
static void unmake(void) { close(ends[0]), close(ends[1]); }

static long send_files(const char *text, const int *files, int count) {
  union { char bytes[CMSG_SPACE(8 * sizeof(int))]; struct cmsghdr align; } control;
  struct iovec part = {(void *)text, strlen(text)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_SPACE(count * sizeof(int))};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  memset(&control, 0, sizeof control), head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(count * sizeof(int)), memcpy(CMSG_DATA(head), files, count * sizeof(int));
  return sendmsg(ends[1], &message, MSG_NOSIGNAL);
}

/* Shows what came; the descriptors are returned, or closed. */
static int receive(const char *what, size_t bytes, size_t room, int flags, int *kept) {
  union { char bytes[400]; struct cmsghdr align; } control;
  char text[64] = "";
  struct iovec part = {text, bytes};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room ? control.bytes : NULL, .msg_controllen = room};
  int count = 0;
  errno = 0;
  const long n = recvmsg(ends[0], &message, flags);
  printf("%s: %ld errno %d \"%s\" flags %x", what, n, n < 0 ? errno : 0, text, message.msg_flags);
  if (n < 0) return printf("\n"), 0;
  printf(" control %zu", (size_t)message.msg_controllen);
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    printf(" [level %d type %d length %zu", head->cmsg_level, head->cmsg_type, (size_t)head->cmsg_len);
    if (head->cmsg_type == SCM_CREDENTIALS && head->cmsg_len == CMSG_LEN(sizeof(struct ucred))) {
      struct ucred user;
      memcpy(&user, CMSG_DATA(head), sizeof user), printf(" %d %d %d", user.pid == getpid(), user.uid == getuid(), user.gid == getgid());
    } else if (head->cmsg_type == SCM_RIGHTS) {
      int files[8], number = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      memcpy(files, CMSG_DATA(head), number * sizeof(int));
      for (int i = 0; i < number; i++) {
        struct stat info;
        printf(" %d/%d", fstat(files[i], &info) == 0 ? (int)(info.st_mode & S_IFMT) : -1, fcntl(files[i], F_GETFD));
        if (kept && count < 4) kept[count++] = files[i];
        else close(files[i]);
      }
    }
    printf("]");
  }
  return printf("\n"), count;
}

static void files(int type) {
  char text[20] = "";
  int pipe_ends[2], file = open("sent", O_RDWR | O_CREAT | O_TRUNC, 0600), kept[4], three[3], bad[2] = {file, 77};
  make(type), CALL(pipe(pipe_ends)), CALL(write(file, "contents", 8));
  three[0] = file, three[1] = pipe_ends[0], three[2] = pipe_ends[1];
  CALL(send_files("one", &file, 1)), SHOW(receive("one", 20, 200, 0, kept)), CALL(lseek(kept[0], 3, SEEK_SET)), CALL(read(file, text, 9)), SHOW_TEXT(text), close(kept[0]);
  CALL(send_files("three", three, 3)), close(pipe_ends[1]), SHOW(receive("three", 20, 200, MSG_CMSG_CLOEXEC, kept)), CALL(write(kept[2], "through", 7)), memset(text, 0, sizeof text), CALL(read(pipe_ends[0], text, 19)), SHOW_TEXT(text), close(kept[0]), close(kept[1]), close(kept[2]);
  CALL(send_files("x", bad, 2)), receive("nothing", 20, 200, 0, NULL);
  CALL(send_files("little room", three, 2)), receive("little room", 20, CMSG_LEN(sizeof(int)), 0, NULL);
  CALL(send_files("no room", &file, 1)), receive("no room", 20, 0, 0, NULL), CALL(send_files("small head", &file, 1)), receive("small head", 20, 8, 0, NULL);
  CALL(send_files("peeked", &file, 1)), receive("peek", 3, 200, MSG_PEEK, NULL), receive("then", 20, 200, 0, NULL);
  CALL(send(ends[1], "plain ", 6, 0)), CALL(send_files("with", &file, 1)), CALL(send(ends[1], " after", 6, 0)), receive("glued?", 40, 200, 0, NULL), receive("rest", 40, 200, 0, NULL), receive("rest", 40, 200, 0, NULL);
  CALL(send_files("a", &file, 1)), CALL(send_files("b", &file, 1)), receive("first", 40, 200, 0, NULL), receive("second", 40, 200, 0, NULL);
  CALL(send_files("read", &file, 1)), memset(text, 0, sizeof text), CALL(read(ends[0], text, 2)), SHOW_TEXT(text), receive("after read", 9, 200, 0, NULL);
  /* The other end of a pipe that lies in a queue nobody reads any more is closed with it. */
  int second[2];
  CALL(pipe(second)), CALL(send_files("lost", &second[1], 1)), close(second[1]), CALL(fcntl(second[0], F_SETFL, O_NONBLOCK)), CALL(read(second[0], text, 1)), unmake(), CALL(read(second[0], text, 1)), close(second[0]), close(pipe_ends[0]), close(file);
}

static void users(int type) {
  int on = 1;
  union { char bytes[CMSG_SPACE(sizeof(struct ucred))]; struct cmsghdr align; } control;
  struct ucred user = {getpid(), getuid(), getgid()};
  struct iovec part = {"text", 4};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  make(type), CALL(setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
  memset(&control, 0, sizeof control), head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_CREDENTIALS, head->cmsg_len = CMSG_LEN(sizeof user), memcpy(CMSG_DATA(head), &user, sizeof user);
  CALL(sendmsg(ends[1], &message, 0)), receive("said", 20, 200, 0, NULL), CALL(send(ends[1], "silent", 6, 0)), receive("unsaid", 20, 200, 0, NULL);
  CALL(send_files("both", &(int){0}, 1)), receive("both", 20, 200, 0, NULL), CALL(send(ends[1], "room", 4, 0)), receive("no room", 20, 0, 0, NULL), CALL(send(ends[1], "cut", 3, 0)), receive("cut", 20, CMSG_LEN(4), 0, NULL);
  head->cmsg_len = CMSG_LEN(4), CALL(sendmsg(ends[1], &message, 0)), head->cmsg_len = 3, CALL(sendmsg(ends[1], &message, 0)), head->cmsg_len = 500, CALL(sendmsg(ends[1], &message, 0)), head->cmsg_len = CMSG_LEN(sizeof user), head->cmsg_type = 55, CALL(sendmsg(ends[1], &message, 0)), head->cmsg_type = SCM_CREDENTIALS, head->cmsg_level = 77, CALL(sendmsg(ends[1], &message, 0)), receive("other level", 20, 200, 0, NULL);
  message.msg_control = NULL, CALL(sendmsg(ends[1], &message, 0)), receive("null", 20, 200, 0, NULL), unmake();
}

int main(void) {
  files(SOCK_STREAM), files(SOCK_DGRAM), files(SOCK_SEQPACKET), users(SOCK_STREAM), users(SOCK_DGRAM);
  return 0;
}
