// Edge-triggered epoll: everything that wakes a waiter counts, on all kinds of descriptors; room in pipes by pages; fifos.
#include "show.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <mqueue.h>
#include <unistd.h>
static int set;
static char big[70000];
static void watch(int fd, unsigned events, unsigned name) { struct epoll_event e = {events, {.u32 = name}}; CALL(epoll_ctl(set, EPOLL_CTL_ADD, fd, &e)); }
static void again(int fd, unsigned events, unsigned name) { struct epoll_event e = {events, {.u32 = name}}; CALL(epoll_ctl(set, EPOLL_CTL_MOD, fd, &e)); }
static void look(const char *what) {
  struct epoll_event got[8]; int i, n = epoll_wait(set, got, 8, 0);
  printf("%s: %d", what, n);
  for (i = 0; i < n; i++) printf(" %u:%x", got[i].data.u32, got[i].events);
  puts("");
}
static void few(const char *what, int most) {
  struct epoll_event got[8]; int i, n = epoll_wait(set, got, most, 0);
  printf("%s: %d", what, n);
  for (i = 0; i < n; i++) printf(" %u:%x", got[i].data.u32, got[i].events);
  puts("");
}
static void pipes(void) {
  int p[2], k;
  pipe2(p, O_NONBLOCK); set = epoll_create1(0);
  watch(p[0], EPOLLIN | EPOLLET, 1), watch(p[1], EPOLLOUT | EPOLLET, 2), look("fresh"), look("again");
  CALL(write(p[1], "abc", 3)), look("wrote"), look("again");
  CALL(write(p[1], "d", 1)), look("wrote more"), CALL(read(p[0], big, 2)), look("read a part");
  CALL(write(p[1], big, 70000)), look("filled"), CALL(write(p[1], big, 1)), look("again full"), CALL(write(p[1], big, 5000));
  CALL(read(p[0], big, 1)), look("one byte"), CALL(write(p[1], big, 1)), CALL(read(p[0], big, 5000)), look("a page"), look("again");
  CALL(write(p[1], big, 1)), look("one byte more"), CALL(read(p[0], big, 70000)), look("emptied"), CALL(read(p[0], big, 1)), look("nothing");
  again(p[0], EPOLLIN | EPOLLET, 3), look("changed"), again(p[1], EPOLLOUT | EPOLLET, 4), look("changed");
  CALL(write(p[1], "xy", 2)), k = dup(p[1]), close(p[1]), look("one of two closed"), close(k), look("closed"), look("again"); close(p[0]), close(set);
  pipe2(p, O_NONBLOCK), set = epoll_create1(0), watch(p[0], EPOLLIN | EPOLLET, 1), watch(p[1], EPOLLOUT | EPOLLET, 2), look("fresh"), close(p[0]), look("reader gone"), look("again"), signal(SIGPIPE, SIG_IGN), CALL(write(p[1], "a", 1)), look("after"), close(p[1]), close(set);
  pipe2(p, O_NONBLOCK), set = epoll_create1(0);
  for (k = 0; k < 16; k++) if (write(p[1], big, 3000) != 3000) printf("%d\n", k);
  CALL(write(p[1], big, 3000)), CALL(write(p[1], big, 1000)), CALL(write(p[1], big, 100)), watch(p[1], EPOLLOUT, 1), look("sixteen"), CALL(read(p[0], big, 3000)), look("fifteen"), CALL(write(p[1], big, 5000)), CALL(write(p[1], big, 5000)), look("full");
  close(p[0]), close(p[1]), look("gone"), close(set);
  pipe2(p, O_NONBLOCK), set = epoll_create1(0), watch(p[0], EPOLLIN | EPOLLOUT | EPOLLET, 1), watch(p[1], EPOLLIN | EPOLLOUT | EPOLLET, 2), look("both"), CALL(write(p[1], "a", 1)), look("wrote"), CALL(read(p[0], big, 1)), look("read"), close(p[1]), look("closed"), close(p[0]), close(set);
}
static void oneshot(void) {
  int p[2], q[2];
  pipe2(p, O_NONBLOCK), pipe2(q, O_NONBLOCK); set = epoll_create1(0);
  watch(p[0], EPOLLIN | EPOLLONESHOT, 1), watch(q[0], EPOLLIN, 2), write(q[1], "a", 1), write(p[1], "a", 1), look("two"), look("one"), write(p[1], "a", 1), look("one"), again(p[0], EPOLLIN | EPOLLONESHOT, 3), look("two"), again(p[0], 0, 5), look("none of it"), close(p[1]), look("hup of none"), again(p[0], 0, 6), look("hup");
  close(set), set = epoll_create1(0), watch(q[0], EPOLLIN | EPOLLEXCLUSIVE, 1), again(q[0], EPOLLIN, 1), again(q[0], EPOLLIN | EPOLLEXCLUSIVE, 1), watch(p[0], EPOLLIN | EPOLLEXCLUSIVE | EPOLLONESHOT, 1), watch(p[0], EPOLLIN | EPOLLEXCLUSIVE | EPOLLET, 1), watch(set, EPOLLIN, 1), look("x");
  struct epoll_event e = {EPOLLIN};
  CALL(epoll_ctl(set, EPOLL_CTL_DEL, q[0], 0)), CALL(epoll_ctl(set, EPOLL_CTL_DEL, q[0], &e)), CALL(epoll_ctl(set, 7, p[0], &e)), CALL(epoll_ctl(set, EPOLL_CTL_ADD, 99, &e)), CALL(epoll_ctl(99, EPOLL_CTL_ADD, set, &e)), CALL(epoll_ctl(p[0], EPOLL_CTL_ADD, 1, &e)), CALL(epoll_wait(p[0], &e, 1, 0)), CALL(epoll_wait(set, &e, 0, 0)), CALL(epoll_wait(set, &e, -1, 0)), CALL(epoll_create(0)), CALL(epoll_create1(77));
  close(p[0]), close(q[0]), close(q[1]), close(set);
}
static void order(void) {
  int p[4][2], i;
  set = epoll_create1(0);
  for (i = 0; i < 4; i++) pipe2(p[i], O_NONBLOCK), watch(p[i][0], EPOLLIN | (i & 1 ? EPOLLET : 0), i);
  write(p[2][1], "a", 1), write(p[3][1], "a", 1), write(p[0][1], "a", 1), write(p[1][1], "a", 1);
  few("two", 2), few("two", 2), few("two", 2), few("three", 3), write(p[3][1], "a", 1), few("one", 1), few("one", 1), few("one", 1), read(p[2][0], big, 9), few("four", 4), write(p[2][1], "a", 1), few("four", 4);
  for (i = 0; i < 4; i++) close(p[i][0]), close(p[i][1]);
  look("none"), close(set);
}
static void socket_pairs(void) {
  static const int types[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
  int p[2], i;
  for (i = 0; i < 3; i++) {
    printf("type %d\n", i);
    socketpair(AF_UNIX, types[i] | SOCK_NONBLOCK, 0, p), set = epoll_create1(0);
    watch(p[0], EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, 1), watch(p[1], EPOLLIN | EPOLLET, 2), look("fresh"), look("again");
    CALL(write(p[1], "abc", 3)), look("wrote"), CALL(write(p[1], "de", 2)), look("wrote"), CALL(read(p[0], big, 3)), look("read"), CALL(write(p[0], "f", 1)), look("other"), CALL(read(p[1], big, 9)), look("read there");
    CALL(shutdown(p[1], SHUT_WR)), look("shut"), CALL(shutdown(p[0], SHUT_RD)), look("shut"), CALL(write(p[0], "f", 1)), look("wrote"), close(p[1]), look("closed"), look("again"), CALL(write(p[0], "f", 1)), look("after"), close(p[0]), close(set);
  }
}
static void counters(void) {
  int e = eventfd(0, EFD_NONBLOCK); eventfd_t v; struct itimerspec fast = {{0, 1000000}, {0, 1000000}}, no = {0};
  set = epoll_create1(0), watch(e, EPOLLIN | EPOLLOUT | EPOLLET, 1), look("fresh"), CALL(eventfd_write(e, 1)), look("wrote"), CALL(eventfd_write(e, 1)), look("wrote"), look("again"), CALL(eventfd_read(e, &v)), look("read"), CALL(eventfd_read(e, &v)), look("nothing"), again(e, EPOLLIN | EPOLLET, 1), look("x"), CALL(eventfd_write(e, 1)), look("wrote"), CALL(eventfd_read(e, &v)), look("read"), CALL(eventfd_write(e, UINT64_MAX - 1)), look("full"), CALL(eventfd_write(e, 1)), look("none"), close(e);
  int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK); uint64_t n;
  watch(t, EPOLLIN | EPOLLET, 2), look("fresh"), timerfd_settime(t, 0, &fast, 0), usleep(5000), look("rang"), usleep(5000), look("rang on"), read(t, &n, 8), usleep(5000), look("read"), timerfd_settime(t, 0, &fast, 0), usleep(5000), look("set anew"), timerfd_settime(t, 0, &no, 0), look("off"), close(t);
  sigset_t s; sigemptyset(&s), sigaddset(&s, SIGUSR1), sigprocmask(SIG_BLOCK, &s, 0);
  int f = signalfd(-1, &s, SFD_NONBLOCK); watch(f, EPOLLIN | EPOLLET, 3), look("fresh"), raise(SIGUSR1), look("raised"), look("again"), raise(SIGUSR1), look("again"), read(f, big, 200), look("read"), raise(SIGUSR1), look("raised"), close(f), close(set);
  mkdir("d", 0777); int i = inotify_init1(IN_NONBLOCK); inotify_add_watch(i, "d", IN_CREATE), set = epoll_create1(0), watch(i, EPOLLIN | EPOLLET, 4), look("fresh"), close(open("d/a", O_CREAT | O_RDWR, 0666)), look("made"), look("again"), close(open("d/b", O_CREAT | O_RDWR, 0666)), look("made"), read(i, big, 1000), look("read"), close(i), close(set);
  struct mq_attr a = {0, 2, 8}; mqd_t q = mq_open("/homik1", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &a); mq_unlink("/homik1");
  set = epoll_create1(0), watch(q, EPOLLIN | EPOLLOUT | EPOLLET, 5), look("fresh"), mq_send(q, "a", 1, 0), look("sent"), mq_send(q, "a", 1, 0), look("sent"), mq_receive(q, big, 8, 0), look("received"), close(set);
}
static void nested(void) {
  int p[2], outer = epoll_create1(0), inner = epoll_create1(0); pipe2(p, O_NONBLOCK);
  set = inner, watch(p[0], EPOLLIN, 1), set = outer, watch(inner, EPOLLIN | EPOLLET, 2), look("fresh"), write(p[1], "a", 1), look("wrote"), look("again"), write(p[1], "a", 1), look("more"), set = inner, look("inner"), set = outer, look("outer"), read(p[0], big, 9), look("read"), write(p[1], "a", 1), look("wrote");
  struct pollfd e = {inner, POLLIN}; CALL(poll(&e, 1, 0)), SHOW(e.revents), read(p[0], big, 9), CALL(poll(&e, 1, 0)), set = inner, again(p[0], EPOLLIN | EPOLLET, 1), write(p[1], "a", 1), CALL(poll(&e, 1, 0)), look("inner"), CALL(poll(&e, 1, 0)), watch(outer, EPOLLIN, 1);
}
static void fifo(void) {
  mkfifo("f", 0600); int r = open("f", O_RDONLY | O_NONBLOCK), w = open("f", O_WRONLY | O_NONBLOCK); set = epoll_create1(0);
  watch(r, EPOLLIN | EPOLLET, 1), write(w, "abc", 3), look("wrote"), close(w), look("closed"), read(r, big, 1), w = open("f", O_WRONLY | O_NONBLOCK), look("opened"), write(w, "d", 1), look("wrote"), close(r), r = open("f", O_RDONLY | O_NONBLOCK), CALL(read(r, big, 9)), close(r), close(w), r = open("f", O_RDONLY | O_NONBLOCK), CALL(read(r, big, 9)), close(r), CALL(open("f", O_WRONLY | O_NONBLOCK)), r = open("f", O_RDWR | O_NONBLOCK), watch(r, EPOLLIN | EPOLLOUT | EPOLLET, 2), look("both"), write(r, "a", 1), look("wrote"), read(r, big, 1), look("read");
}
int main(void) { signal(SIGPIPE, SIG_IGN); pipes(), oneshot(), order(), socket_pairs(), counters(), nested(), fifo(); return 0; }
