// poll, select and epoll, also edge-triggered, on a pipe whose other end is closed with data left or without.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static int polled(int descriptor, short wanted) {
  struct pollfd one = {descriptor, wanted, 0};
  return poll(&one, 1, 0) * 32 + (one.revents & (POLLIN | POLLOUT | POLLERR | POLLHUP));
}

static int selected(int descriptor) {
  struct timeval none = {0, 0};
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(descriptor, &readable);
  return select(descriptor + 1, &readable, 0, 0, &none) + 2 * !!FD_ISSET(descriptor, &readable);
}

static int waited(int queue) {
  struct epoll_event event = {0};
  return epoll_wait(queue, &event, 1, 0) == 1 ? event.events & (EPOLLIN | EPOLLHUP) : 0;
}

int main(void) {
  unsigned char letter;
  int ends[2], status, queue = epoll_create1(0);
  take(&letter, 1);
  int has_data = letter & 1, is_closed = letter & 2, is_edge = letter & 4, closes_reader = letter & 8;
  if (letter > 15) return 240;
  if (pipe(ends)) return 241;
  struct epoll_event event = {EPOLLIN | (is_edge ? EPOLLET : 0), {.u32 = 7}};
  if (has_data && write(ends[1], "xy", 2) != 2) return 242;
  if (epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event)) return 243;
  status = waited(queue);
  if (closes_reader) {
    close(ends[0]);
    return each(polled(ends[1], POLLOUT) % 100);
  }
  if (is_closed) close(ends[1]);
  status = status * 7 + waited(queue);
  status = status * 7 + waited(queue);
  status = status * 5 + selected(ends[0]);
  status = status * 3 + polled(ends[0], POLLIN);
  return each((unsigned)status % 239);
}
