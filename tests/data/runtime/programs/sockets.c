// socketpair: streams, datagrams and sequenced packets between the ends of one process.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "show.h"

static int ends[2];
static char text[64];
static volatile int broken;
static void on_pipe(int number) { broken++; }

/* Errors in one line: their numbers and what is in the buffer. */
static void got(const char *what, long n) {
  printf("%s: %ld", what, n);
  if (n < 0) printf(" errno %d", errno);
  else printf(" \"%.*s\"", (int)n, text);
  printf("\n");
}
#define GOT(expression) (errno = 0, memset(text, 0, sizeof text), got(#expression, (expression)))

static int ready(int end) {
  struct pollfd entry = {end, POLLIN | POLLOUT | POLLRDHUP};
  poll(&entry, 1, 0);
  return entry.revents;
}

static void make(int type) {
  printf("-- type %d\n", type);
  CALL(socketpair(AF_UNIX, type, 0, ends));
}

static void unmake(void) { CALL(close(ends[0])), CALL(close(ends[1])); }

static void streams(void) {
  int count = -1;
  make(SOCK_STREAM | SOCK_NONBLOCK);
  CALL(fcntl(ends[0], F_GETFL) == (O_RDWR | O_NONBLOCK)), SHOW(ready(ends[0])), GOT(read(ends[0], text, 10)), GOT(recv(ends[0], text, 10, 0));
  CALL(write(ends[1], "hello ", 6)), CALL(send(ends[1], "world", 5, 0)), SHOW(ready(ends[0])), SHOW(ready(ends[1])), CALL(ioctl(ends[0], FIONREAD, &count)), SHOW(count);
  GOT(recv(ends[0], text, 8, MSG_PEEK)), GOT(read(ends[0], text, 8)), GOT(recv(ends[0], text, 8, MSG_DONTWAIT)), GOT(recv(ends[0], text, 8, MSG_DONTWAIT));
  struct iovec out[] = {{"ab", 2}, {"", 0}, {"cde", 3}}, in[] = {{text, 1}, {text + 10, 3}, {text + 20, 9}};
  CALL(writev(ends[0], out, 3)), memset(text, '.', sizeof text), CALL(readv(ends[1], in, 3)), printf("%.24s\n", text);
  CALL(write(ends[0], "one", 3)), CALL(write(ends[0], "two", 3)), GOT(recv(ends[1], text, 5, MSG_WAITALL)), GOT(read(ends[1], text, 5)), CALL(read(ends[1], text, 0)), CALL(write(ends[1], text, 0));
  CALL(lseek(ends[0], 0, SEEK_SET)), CALL(pread(ends[0], text, 1, 0)), CALL(ftruncate(ends[0], 0)), CALL(fsync(ends[0]));
  struct stat status;
  CALL(fstat(ends[0], &status)), SHOW(S_ISSOCK(status.st_mode)), SHOW(status.st_nlink), SHOW(status.st_size);
  CALL(send(ends[0], "x", 1, MSG_OOB) >= -1), CALL(write(ends[0], "rest", 4)), CALL(shutdown(ends[0], SHUT_WR)), SHOW(ready(ends[1])), SHOW(ready(ends[0]));
  signal(SIGPIPE, on_pipe), CALL(write(ends[0], "y", 1)), SHOW(broken), CALL(send(ends[0], "y", 1, MSG_NOSIGNAL)), SHOW(broken);
  CALL(write(ends[1], "back", 4)), GOT(read(ends[0], text, 9)), CALL(shutdown(ends[1], SHUT_RDWR)), SHOW(ready(ends[0])), SHOW(ready(ends[1])), GOT(read(ends[0], text, 9)), CALL(shutdown(ends[0], 7));
  unmake();
  make(SOCK_STREAM | SOCK_CLOEXEC);
  CALL(fcntl(ends[0], F_GETFD)), CALL(write(ends[0], "unread", 6)), CALL(write(ends[1], "left", 4)), CALL(close(ends[1])), SHOW(ready(ends[0]));
  GOT(read(ends[0], text, 9)), GOT(read(ends[0], text, 9)), GOT(read(ends[0], text, 9)), CALL(write(ends[0], "z", 1)), SHOW(broken), CALL(close(ends[0]));
  make(SOCK_STREAM);
  int copy = dup(ends[1]);
  CALL(close(ends[1])), CALL(write(copy, "by copy", 7)), GOT(read(ends[0], text, 20)), CALL(close(copy)), SHOW(ready(ends[0])), GOT(read(ends[0], text, 20)), CALL(send(ends[0], "z", 1, MSG_NOSIGNAL)), CALL(close(ends[0]));
}

static void packets(int type) {
  int count = -1;
  make(type | SOCK_NONBLOCK);
  GOT(recv(ends[0], text, 8, 0)), CALL(send(ends[1], "first", 5, 0)), CALL(send(ends[1], "second", 6, 0)), CALL(send(ends[1], "", 0, 0)), CALL(send(ends[1], "third", 5, 0));
  CALL(ioctl(ends[0], FIONREAD, &count)), SHOW(count), SHOW(ready(ends[0])), GOT(recv(ends[0], text, 3, MSG_PEEK)), GOT(recv(ends[0], text, 3, MSG_PEEK | MSG_TRUNC)), GOT(read(ends[0], text, 3)), GOT(recv(ends[0], text, 20, 0)), GOT(recv(ends[0], text, 20, 0));
  char a[3], b[9];
  struct iovec parts[] = {{a, 3}, {b, 9}}, out[] = {{"long ", 5}, {"message with more", 17}};
  struct sockaddr_un from;
  struct msghdr message = {&from, sizeof from, parts, 2, NULL, 0, 0}, sent = {NULL, 0, out, 2, NULL, 0, 0};
  CALL(recvmsg(ends[0], &message, 0)), printf("%.3s %.2s %d %d\n", a, b, message.msg_flags, (int)message.msg_namelen);
  CALL(sendmsg(ends[1], &sent, 0)), CALL(recvmsg(ends[0], &message, 0)), printf("%.3s %.9s %d\n", a, b, message.msg_flags), CALL(recvmsg(ends[0], &message, MSG_DONTWAIT));
  struct mmsghdr many[3] = {{sent}, {sent}, {sent}};
  CALL(sendmmsg(ends[0], many, 3, 0)), SHOW(many[2].msg_len), many[0].msg_hdr = many[1].msg_hdr = message, CALL(recvmmsg(ends[1], many, 2, 0, NULL)), SHOW(many[1].msg_len), SHOW(many[1].msg_hdr.msg_flags), GOT(read(ends[1], text, 60));
  char *large = calloc(1, 300000);
  CALL(send(ends[0], large, 300000, 0)), CALL(send(ends[0], large, 100000, 0)), CALL(recv(ends[1], large, 300000, 0)), free(large);
  CALL(shutdown(ends[1], SHUT_RD)), CALL(send(ends[0], "x", 1, MSG_NOSIGNAL)), SHOW(ready(ends[1])), GOT(recv(ends[1], text, 9, 0)), CALL(shutdown(ends[0], SHUT_WR)), CALL(send(ends[0], "x", 1, MSG_NOSIGNAL)), SHOW(ready(ends[0]));
  unmake();
  make(type | SOCK_NONBLOCK);
  CALL(send(ends[0], "kept", 4, 0)), CALL(send(ends[1], "lost", 4, 0)), CALL(close(ends[1])), SHOW(ready(ends[0])), GOT(recv(ends[0], text, 9, 0)), GOT(recv(ends[0], text, 9, 0)), CALL(send(ends[0], "x", 1, MSG_NOSIGNAL)), CALL(send(ends[0], "x", 1, MSG_NOSIGNAL)), CALL(close(ends[0]));
}

static void options(void) {
  struct sockaddr_un name = {0};
  struct timeval limit = {0, 20000}, back;
  struct ucred user;
  socklen_t length = sizeof name;
  int value = 1;
#define OPTION(level, option) (length = sizeof value, value = -7, CALL(getsockopt(ends[0], level, option, &value, &length)), printf(#option " %d, length %d\n", value, (int)length))
  make(SOCK_STREAM);
  CALL(getsockname(ends[0], (void *)&name, &length)), SHOW(length), SHOW(name.sun_family), length = sizeof name, CALL(getpeername(ends[0], (void *)&name, &length)), SHOW(length);
  OPTION(SOL_SOCKET, SO_TYPE), OPTION(SOL_SOCKET, SO_ERROR), OPTION(SOL_SOCKET, SO_DOMAIN), OPTION(SOL_SOCKET, SO_PROTOCOL), OPTION(SOL_SOCKET, SO_ACCEPTCONN), OPTION(SOL_SOCKET, SO_REUSEADDR), OPTION(SOL_SOCKET, SO_RCVLOWAT), OPTION(SOL_SOCKET, 999), OPTION(IPPROTO_TCP, 1);
  value = 5, CALL(setsockopt(ends[0], SOL_SOCKET, SO_KEEPALIVE, &value, sizeof value)), OPTION(SOL_SOCKET, SO_KEEPALIVE), value = 1, CALL(setsockopt(ends[0], SOL_SOCKET, SO_KEEPALIVE, &value, 2)), CALL(setsockopt(ends[0], IPPROTO_TCP, 1, &value, 4));
  value = 10000, CALL(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &value, sizeof value)), OPTION(SOL_SOCKET, SO_SNDBUF), value = 1, CALL(setsockopt(ends[0], SOL_SOCKET, SO_RCVBUF, &value, sizeof value)), OPTION(SOL_SOCKET, SO_RCVBUF);
  length = sizeof user, CALL(getsockopt(ends[0], SOL_SOCKET, SO_PEERCRED, &user, &length)), SHOW(length), SHOW(user.pid == getpid()), SHOW(user.uid == geteuid());
  CALL(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit)), length = sizeof back, CALL(getsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &back, &length)), SHOW(length), SHOW(back.tv_sec), GOT(read(ends[0], text, 5));
  CALL(listen(ends[0], 1)), CALL(accept(ends[0], NULL, NULL)), CALL(connect(ends[0], (void *)&name, 2)), CALL(sendto(ends[0], "x", 1, 0, (void *)&name, 2));
  unmake();
  CALL(socketpair(AF_INET, SOCK_STREAM, 0, ends)), CALL(socketpair(AF_UNIX, 77, 0, ends)), CALL(socketpair(AF_UNIX, SOCK_RDM, 0, ends)), CALL(socketpair(AF_UNIX, SOCK_STREAM, 6, ends)), CALL(socketpair(999, SOCK_STREAM, 0, ends)), CALL(socketpair(AF_UNIX, SOCK_STREAM, 1, ends)), unmake();
  CALL(send(0, "x", 1, 0)), CALL(recv(77, text, 1, 0)), CALL(shutdown(1, 0));
}

static sem_t first_seen;

/* It waits after the first write: what the other thread is told of must not depend on which of them is faster. */
static void *sender(void *argument) {
  int i;
  for (i = 0; i < 3; i++) {
    usleep(1000), write(ends[1], "tick", 4);
    if (i == 0) sem_wait(&first_seen);
  }
  close(ends[1]);
  return NULL;
}

/* One thread writes, the other waits by reading, poll and epoll. */
static void waiting(void) {
  pthread_t thread;
  struct epoll_event event = {EPOLLIN | EPOLLRDHUP | EPOLLET};
  long total = 0, n;
  make(SOCK_STREAM);
  int set = epoll_create1(0);
  CALL(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event)), CALL(epoll_wait(set, &event, 1, 0));
  sem_init(&first_seen, 0, 0), pthread_create(&thread, NULL, sender, NULL);
  CALL(epoll_wait(set, &event, 1, 2000)), SHOW(event.events), sem_post(&first_seen), GOT(recv(ends[0], text, 8, MSG_WAITALL));
  while ((n = read(ends[0], text, sizeof text)) > 0) total += n;
  SHOW(total), SHOW(n), pthread_join(thread, NULL), CALL(epoll_wait(set, &event, 1, 0)), SHOW(event.events), SHOW(ready(ends[0])), close(set), close(ends[0]);
}

int main(void) {
  streams(), packets(SOCK_DGRAM), packets(SOCK_SEQPACKET), options(), waiting();
  return 0;
}
