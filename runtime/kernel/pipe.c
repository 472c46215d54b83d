/* Pipes and fifos within one process and its modelled children. What would wait for any other process can never go on here, so it is
 * a named gap rather than a wrong answer. */
#include "internal.h"

enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLRDNORM = 64, POLLWRNORM = 256 };

long hk_pipe(int *descriptors, long flags) {
  struct inode *inode;
  long in, out;
  int close_on_exec = (flags & O_CLOEXEC) != 0;
  if (flags & ~(long)(O_CLOEXEC | O_NONBLOCK)) return -EINVAL;
  if (hk_bad(descriptors)) return -EFAULT;
  inode = hk_new_inode(&hk_pipe_ends, S_IFIFO | 0600);
  in = hk_install(hk_new_file(inode, O_RDONLY | (int)(flags & O_NONBLOCK)), 0, close_on_exec);
  if (in < 0) return in;
  out = hk_install(hk_new_file(inode, O_WRONLY | (int)(flags & O_NONBLOCK)), 0, close_on_exec);
  if (out < 0) {
    hk_close(in);
    return out;
  }
  descriptors[0] = (int)in;
  descriptors[1] = (int)out;
  return 0;
}

static void opened(struct open_file *file) {
  if ((file->flags & O_ACCMODE) != O_WRONLY) file->inode->readers++;
  if ((file->flags & O_ACCMODE) != O_RDONLY) file->inode->writers++;
}

static void closed(struct open_file *file) {
  if ((file->flags & O_ACCMODE) != O_WRONLY) file->inode->readers--;
  if ((file->flags & O_ACCMODE) != O_RDONLY) file->inode->writers--;
}

static long read_pipe(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct inode *pipe = file->inode;
  (void)offset;
  if (!hk_decide(n != 0)) return 0;
  hk_interrupted();
  while (pipe->size == 0) {
    if (pipe->writers == 0) return 0;
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    hk_wait(0, 0, "read from an empty pipe waits for ever");
    if (hk_interrupted() && (pipe->size == 0 || !hk_has_threads())) return -EINTR; /* a handler wrote it */
  }
  n = hk_at_most(n, pipe->size);
  memcpy(buffer, pipe->data, n);
  pipe->size -= n;
  memmove(pipe->data, pipe->data + n, pipe->size);
  return (long)n;
}

static long write_pipe(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  struct inode *pipe = file->inode;
  (void)offset;
  homi_require_room(buffer, n, 0);
  n = homi_concretize(n);
  hk_interrupted();
  while (pipe->readers && pipe->size + n > PIPE_CAPACITY && !(file->flags & O_NONBLOCK) &&
         (hk_wait_for_others() || hk_child_moves())) {
    if (pipe->size + n > PIPE_CAPACITY && hk_interrupted()) return -EINTR;
  }
  if (pipe->readers == 0) {
    hk_raise(SIGPIPE);
    return -EPIPE;
  }
  if (pipe->size + n > PIPE_CAPACITY) {
    if (!(file->flags & O_NONBLOCK)) homi_gap("write to a full pipe waits for ever");
    if (n <= 4096 || pipe->size == PIPE_CAPACITY) return -EAGAIN;
    n = PIPE_CAPACITY - pipe->size;
  }
  if (!pipe->data) pipe->data = malloc(PIPE_CAPACITY);
  memcpy(pipe->data + pipe->size, buffer, n);
  pipe->size += n;
  pipe->arrivals++;
  return (long)n;
}

static int is_drained(const struct inode *pipe) { return pipe->size == 0; }

static int events(const struct open_file *file) {
  const struct inode *pipe = file->inode;
  const int mode = file->flags & O_ACCMODE;
  int events = 0;
  if (mode != O_WRONLY) {
    if (pipe->size) events |= POLLIN | POLLRDNORM;
    if (pipe->writers == 0) events |= POLLHUP;
  }
  if (mode != O_RDONLY) {
    if (pipe->size < PIPE_CAPACITY) events |= POLLOUT | POLLWRNORM;
    if (pipe->readers == 0) events |= POLLERR;
  }
  return events;
}

static int64_t available(const struct open_file *file) { return (int64_t)file->inode->size; }

const struct file_operations hk_pipe_ends = {
  .kind = INODE_PIPE, .is_shared = 1, .refuses_sync = 1, .link = "pipe:[1]", .read = read_pipe, .write = write_pipe,
  .is_drained = is_drained, .events = events, .available = available, .opened = opened, .closed = closed,
};
