/* Pipes and fifos within one process and its modeled children. What would wait for any other process can never go on here, so it is
 * a named gap rather than a wrong answer. */
#include "internal.h"

enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLRDNORM = 64, POLLWRNORM = 256 };
enum { LARGEST = 1 << 20 };

/* The pages that hold the bytes, as Linux fills them: a write goes on in the last page if its odd bytes fit there, and what is read
 * frees a page only with its last byte. So a pipe may be full long before it has as many bytes as it can have. */
struct pages {
  unsigned count, most;
  struct slot { uint16_t bytes, end; } slots[]; /* bytes that are not read yet, and where they end in the page */
};

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
  struct inode *pipe = file->inode;
  const int mode = file->flags & O_ACCMODE;
  const int is_first = (mode != O_WRONLY && pipe->readers++ == 0) | (mode != O_RDONLY && pipe->writers++ == 0);
  if (is_first) hk_wake(pipe, POLLIN | POLLRDNORM);
}

/* Waits until the other end of a fifo is open, unless this end is open for both or O_NONBLOCK is set.
 * Returns 0 or -errno. */
long hk_meet(const struct open_file *file) {
  const struct inode *pipe = file->inode;
  const int mode = file->flags & O_ACCMODE;
  if (mode == O_RDWR) return 0;
  if (file->flags & O_NONBLOCK) return mode == O_WRONLY && !pipe->readers ? -ENXIO : 0;
  hk_interrupted();
  while (mode == O_RDONLY ? !pipe->writers : !pipe->readers) {
    hk_wait(0, 0, "open of a fifo waits for ever for its other end");
    if (hk_interrupted()) return -EINTR;
  }
  return 0;
}

static struct pages *pages_of(const struct inode *pipe) { return pipe->object; }

/* Wakes the waiters at the other end. A pipe without open ends loses its contents. */
static void closed(struct open_file *file) {
  struct inode *pipe = file->inode;
  if ((file->flags & O_ACCMODE) != O_WRONLY) pipe->readers--;
  if ((file->flags & O_ACCMODE) != O_RDONLY) pipe->writers--;
  if (!pipe->readers != !pipe->writers) hk_wake(pipe, 0);
  if (pipe->readers || pipe->writers || !pipe->object) return;
  pipe->size = 0;
  pages_of(pipe)->count = 0;
}

static int is_full(const struct inode *pipe) { return pipe->object && pages_of(pipe)->count == pages_of(pipe)->most; }

static struct pages *make_room(struct inode *pipe, unsigned most) {
  struct pages *pages = realloc(pipe->object, sizeof *pages + most * sizeof(struct slot));
  if (!pipe->object) pages->count = 0;
  pages->most = most;
  pipe->object = pages;
  pipe->data = realloc(pipe->data, most * PAGE);
  return pages;
}

/* The bytes that it can have, changed to a power of two of pages if there is a wish (not negative). */
long hk_pipe_capacity(const struct open_file *file, long wish) {
  struct inode *pipe = file->inode;
  unsigned most = 1;
  if (pipe->kind != INODE_PIPE) return -EBADF;
  if (wish < 0) return pipe->object ? (long)pages_of(pipe)->most * PAGE : PIPE_CAPACITY;
  wish = (long)homi_concretize((uint32_t)wish);
  if (wish > (long)1 << 31) return -EINVAL;
  while ((long)most * PAGE < wish) most *= 2;
  if (pipe->object && pages_of(pipe)->count > most) return -EBUSY;
  if (most * PAGE > LARGEST && homi_host_id(1) != 0) return -EPERM;
  if (most > LARGEST) return -ENOMEM;
  make_room(pipe, most);
  return (long)most * PAGE;
}

/* Number of n bytes that a pipe with readers takes now. */
static uint64_t room(const struct inode *pipe, uint64_t n) {
  const struct pages *pages = pages_of(pipe);
  const uint64_t odd = n % PAGE, fits = pages && pages->count && pages->slots[pages->count - 1].end + odd <= PAGE ? odd : 0;
  const uint64_t free_bytes = fits + (pages ? (uint64_t)(pages->most - pages->count) * PAGE : PIPE_CAPACITY);
  return n < free_bytes ? n : free_bytes;
}

static void fill(struct inode *pipe, const void *buffer, uint64_t n, uint64_t wanted) {
  struct pages *pages = pages_of(pipe);
  const uint64_t odd = wanted % PAGE;
  if (!pages) pages = make_room(pipe, PIPE_CAPACITY / PAGE);
  memcpy(pipe->data + pipe->size, buffer, n);
  pipe->size += n;
  if (odd && pages->count && pages->slots[pages->count - 1].end + odd <= PAGE) {
    pages->slots[pages->count - 1].bytes += (uint16_t)odd;
    pages->slots[pages->count - 1].end += (uint16_t)odd;
    n -= odd;
  }
  for (; n > 0; pages->count++) {
    const uint64_t part = n < PAGE ? n : PAGE;
    pages->slots[pages->count].bytes = pages->slots[pages->count].end = (uint16_t)part;
    n -= part;
  }
}

static void drain(struct inode *pipe, uint64_t n) {
  struct pages *pages = pages_of(pipe);
  const unsigned before = pages->count;
  unsigned gone = 0;
  pipe->size -= n;
  memmove(pipe->data, pipe->data + n, pipe->size);
  while (n > 0 && n >= pages->slots[gone].bytes) n -= pages->slots[gone++].bytes;
  pages->count -= gone;
  memmove(pages->slots, pages->slots + gone, pages->count * sizeof pages->slots[0]);
  if (n) pages->slots[0].bytes -= (uint16_t)n;
  if (before == pages->most && gone) hk_wake(pipe, POLLOUT | POLLWRNORM);
}

/* Returns 1 once a pipe has bytes, 0 at its end, or -errno. */
static long await_bytes(const struct inode *pipe, int never_waits) {
  hk_interrupted();
  while (pipe->size == 0) {
    if (pipe->writers == 0) return 0;
    if (never_waits) return -EAGAIN;
    hk_wait(0, 0, "read from an empty pipe waits for ever");
    if (hk_interrupted() && (pipe->size == 0 || !hk_has_threads())) return -EINTR; /* a handler wrote it */
  }
  return 1;
}

static long read_pipe(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct inode *pipe = file->inode;
  long ready;
  (void)offset;
  if (!hk_decide(n != 0)) return 0;
  ready = await_bytes(pipe, (file->flags & O_NONBLOCK) != 0);
  if (ready <= 0) {
    hk_note_silence(pipe);
    return ready;
  }
  n = hk_at_most(n, pipe->size);
  memcpy(buffer, pipe->data, n);
  drain(pipe, n);
  return (long)n;
}

/* A call that waits for space has already written a part. */
static long write_pipe(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  struct inode *pipe = file->inode;
  uint64_t done = 0;
  (void)offset;
  homi_require_room(buffer, n, 0);
  n = homi_concretize(n);
  if (n == 0) return 0;
  hk_interrupted();
  for (;;) {
    uint64_t part;
    if (pipe->readers == 0) {
      hk_raise(SIGPIPE);
      return done ? (long)done : -EPIPE;
    }
    part = room(pipe, n - done);
    if (part) fill(pipe, (const char *)buffer + done, part, n - done);
    done += part;
    hk_wake(pipe, POLLIN | POLLRDNORM);
    if (done == n) return (long)n;
    if (file->flags & O_NONBLOCK) return done ? (long)done : -EAGAIN;
    if (!hk_wait_for_others() && !hk_child_moves()) homi_unsupported("write to a full pipe waits for ever");
    if (!room(pipe, n - done) && hk_interrupted()) return done ? (long)done : -EINTR;
  }
}

/* The parts of a writev go as one, since pages and whole small writes depend on their sum. */
static long write_pipe_parts(struct open_file *file, const struct io_vector *parts, long count) {
  uint64_t total = 0, filled = 0;
  char *together;
  long i, done;
  for (i = 0; i < count; i++) {
    const uint64_t n = homi_concretize(parts[i].length);
    if (n && hk_bad(parts[i].base)) return -EFAULT;
    homi_require_room(parts[i].base, n, 0);
    total += n;
  }
  if (count == 1) return write_pipe(file, parts->base, total, 0);
  together = malloc(total + 1);
  for (i = 0; i < count; filled += homi_concretize(parts[i].length), i++)
    memcpy(together + filled, parts[i].base, homi_concretize(parts[i].length));
  done = write_pipe(file, together, total, 0);
  free(together);
  return done;
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
    if (!is_full(pipe)) events |= POLLOUT | POLLWRNORM;
    if (pipe->readers == 0) events |= POLLERR;
  }
  return events;
}

static int64_t available(const struct open_file *file) { return (int64_t)file->inode->size; }

const struct file_operations hk_pipe_ends = {
  .kind = INODE_PIPE, .is_shared = 1, .refuses_sync = 1, .link = "pipe:[1]", .read = read_pipe, .write = write_pipe, .write_parts = write_pipe_parts,
  .is_drained = is_drained, .events = events, .available = available, .opened = opened, .closed = closed,
};

/* Returns 1 once a pipe has a free page, or -errno. */
static long await_page(const struct inode *pipe, int never_waits) {
  hk_interrupted();
  for (;;) {
    if (pipe->readers == 0) {
      hk_raise(SIGPIPE);
      return -EPIPE;
    }
    if (!is_full(pipe)) return 1;
    if (never_waits) return -EAGAIN;
    if (!hk_wait_for_others() && !hk_child_moves()) homi_unsupported("write to a full pipe waits for ever");
    if (is_full(pipe) && hk_interrupted()) return -EINTR;
  }
}

/* Adds bytes as a page of their own; no later write goes on in it unless its end says so. */
static void add_page(struct inode *pipe, const void *bytes, uint64_t n, unsigned end) {
  struct pages *pages = pages_of(pipe);
  if (!pages) pages = make_room(pipe, PIPE_CAPACITY / PAGE);
  memcpy(pipe->data + pipe->size, bytes, n);
  pipe->size += n;
  pages->slots[pages->count++] = (struct slot){(uint16_t)n, (uint16_t)end};
}

/* Moves up to n bytes page by page into free pages; a tee leaves them where they are. */
static long pass_pages(struct inode *from, struct inode *to, uint64_t n, int is_tee) {
  const struct pages *pages = pages_of(from);
  uint64_t done = 0;
  for (unsigned at = 0; done < n && at < pages->count && !is_full(to); at++) {
    const uint64_t bytes = pages->slots[at].bytes, part = n - done < bytes ? n - done : bytes;
    add_page(to, from->data + done, part, is_tee || part < bytes ? PAGE : pages->slots[at].end);
    done += part;
  }
  if (!is_tee && done) drain(from, done);
  if (done) hk_wake(to, POLLIN | POLLRDNORM);
  return (long)done;
}

static long between_pipes(struct inode *from, struct inode *to, uint64_t n, int never_waits, int is_tee) {
  long ready = await_bytes(from, never_waits);
  if (ready < 0 || (ready == 0 && to->readers)) return ready;
  ready = await_page(to, never_waits);
  if (ready < 0) return ready;
  return pass_pages(from, to, homi_concretize(hk_at_most(n, from->size)), is_tee);
}

static long into_file(struct inode *pipe, struct open_file *file, int64_t *offset, uint64_t n, int never_waits) {
  int64_t *at = offset ? offset : &file->offset;
  long done = await_bytes(pipe, never_waits);
  if (done <= 0) return done;
  done = hk_file_write(file, pipe->data, homi_concretize(hk_at_most(n, pipe->size)), (uint64_t)*at);
  if (done <= 0) return done;
  drain(pipe, (uint64_t)done);
  *at += done;
  return done;
}

/* Counters, timers and their like have no bytes to pass on. */
static int has_records(const struct open_file *file) {
  return file->inode->kind >= INODE_EVENT && file->inode->kind != INODE_SOCKET;
}

static long from_file(struct open_file *file, int64_t *offset, struct inode *pipe, uint64_t n, int never_waits) {
  int64_t *at = offset ? offset : &file->offset;
  long done = await_page(pipe, never_waits);
  uint64_t start, part;
  if (done <= 0) return done;
  if (has_records(file)) return -EINVAL;
  if (!pages_of(pipe)) make_room(pipe, PIPE_CAPACITY / PAGE);
  start = (uint64_t)*at % PAGE;
  n = homi_concretize(hk_at_most(n, (uint64_t)(pages_of(pipe)->most - pages_of(pipe)->count) * PAGE - start));
  char *buffer = malloc(n);
  done = hk_file_read(file, buffer, n, (uint64_t)*at);
  for (uint64_t from = 0; done > 0 && from < (uint64_t)done; from += part, start = 0) {
    part = (uint64_t)done - from < PAGE - start ? (uint64_t)done - from : PAGE - start;
    add_page(pipe, buffer + from, part, PAGE);
  }
  free(buffer);
  if (done <= 0) return done;
  *at += done;
  hk_wake(pipe, POLLIN | POLLRDNORM);
  return done;
}

enum { SPLICE_NONBLOCK = 2, SPLICE_FLAGS = 15 };

static int is_pipe(const struct open_file *file) { return file->inode->kind == INODE_PIPE; }

/* Returns 1 for files of which one is read and one is written, 0 for no bytes, or -errno. */
static long check_ends(const struct open_file *in, const struct open_file *out, uint64_t n, long flags) {
  if (flags & ~(long)SPLICE_FLAGS) return -EINVAL;
  if (hk_decide(n == 0)) return 0;
  if (!in || !out || (in->flags & O_ACCMODE) == O_WRONLY || (out->flags & O_ACCMODE) == O_RDONLY) return -EBADF;
  return 1;
}

long hk_tee(long in, long out, uint64_t n, long flags) {
  struct open_file *source = hk_file(in), *sink = hk_file(out);
  const long ready = check_ends(source, sink, n, flags);
  if (ready <= 0) return ready;
  if (!is_pipe(source) || !is_pipe(sink) || source->inode == sink->inode) return -EINVAL;
  const int never_waits = (flags & SPLICE_NONBLOCK) || ((source->flags | sink->flags) & O_NONBLOCK);
  return between_pipes(source->inode, sink->inode, n, never_waits, 1);
}

long hk_splice(long in, int64_t *in_offset, long out, int64_t *out_offset, uint64_t n, long flags) {
  struct open_file *source = hk_file(in), *sink = hk_file(out);
  const long ready = check_ends(source, sink, n, flags);
  if (ready <= 0) return ready;
  const int never_waits = (flags & SPLICE_NONBLOCK) != 0, both = ((source->flags | sink->flags) & O_NONBLOCK) != 0;
  if (!is_pipe(source) && !is_pipe(sink)) return -EINVAL;
  if (has_records(sink)) return -EINVAL;
  if ((is_pipe(source) && in_offset) || (is_pipe(sink) && out_offset)) return -ESPIPE;
  if (is_pipe(source) && is_pipe(sink))
    return source->inode == sink->inode ? -EINVAL : between_pipes(source->inode, sink->inode, n, never_waits | both, 0);
  if (is_pipe(sink)) return from_file(source, in_offset, sink->inode, n, never_waits || (sink->flags & O_NONBLOCK));
  if (sink->flags & O_APPEND) return -EINVAL;
  return into_file(source->inode, sink, out_offset, n, never_waits || (source->flags & O_NONBLOCK));
}
