/* Pipes and fifos within one process and its modelled children. What would wait for any other process can never go on here, so it is
 * a named gap rather than a wrong answer. */
#include "internal.h"

long hk_pipe(int *descriptors, long flags) {
  struct inode *inode;
  long in, out;
  int close_on_exec = (flags & O_CLOEXEC) != 0;
  if (flags & ~(long)(O_CLOEXEC | O_NONBLOCK)) return -EINVAL;
  if (hk_bad(descriptors)) return -EFAULT;
  inode = hk_new_inode(INODE_PIPE, S_IFIFO | 0600);
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

void hk_pipe_opened(struct open_file *file) {
  if ((file->flags & O_ACCMODE) != O_WRONLY) file->inode->readers++;
  if ((file->flags & O_ACCMODE) != O_RDONLY) file->inode->writers++;
}

void hk_pipe_closed(struct open_file *file) {
  if ((file->flags & O_ACCMODE) != O_WRONLY) file->inode->readers--;
  if ((file->flags & O_ACCMODE) != O_RDONLY) file->inode->writers--;
}

long hk_pipe_read(struct open_file *file, void *buffer, uint64_t n) {
  struct inode *pipe = file->inode;
  if (!hk_decide(n != 0)) return 0;
  hk_interrupted();
  while (pipe->size == 0) {
    if (pipe->writers == 0) return 0;
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    hk_wait(0, 0, "read from an empty pipe waits for ever");
    if (pipe->size == 0 && hk_interrupted()) return -EINTR;
  }
  n = hk_at_most(n, pipe->size);
  memcpy(buffer, pipe->data, n);
  pipe->size -= n;
  memmove(pipe->data, pipe->data + n, pipe->size);
  return (long)n;
}

long hk_pipe_write(struct open_file *file, const void *buffer, uint64_t n) {
  struct inode *pipe = file->inode;
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
