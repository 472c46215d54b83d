/* epoll: a set of descriptors that is asked as poll asks. What wakes a waiter (`hk_wake`) puts the descriptor into the list of those
 * that are ready, in order of arrival; what is reported and level-triggered goes to its end, so that everything has its turn when
 * there is more than fits into the answer. */
#include "internal.h"

enum { CTL_ADD = 1, CTL_DEL, CTL_MOD };
enum { EVENT_BYTES = 12, POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLRDNORM = 64, POLLWRNORM = 256, NESTING = 5 };
static const uint32_t EPOLLET = 1u << 31, EPOLLONESHOT = 1u << 30, EPOLLEXCLUSIVE = 1u << 28, FLAGS = 15u << 28;
/* Events that are allowed together with EPOLLEXCLUSIVE. */
static const uint32_t EXCLUSIVE = 1u << 31 | 3u << 28 | POLLIN | POLLOUT | POLLERR | POLLHUP;
static const uint64_t MOMENT = 1000; /* nanoseconds that a look takes */

struct watch {
  struct watch *next;
  struct open_file *file;
  long descriptor;
  uint32_t events;      /* wanted, with the flags above; 0 of the former: reported once and disabled */
  uint64_t data;
  uint64_t seen;        /* arrivals, of what becomes ready by itself, when they were looked at last */
  int is_waiting;       /* in the list of watches that are ready, or were when they were added */
  struct watch *behind; /* the next one there */
};

struct epoll {
  struct epoll *next;
  struct inode *inode;
  struct watch *watches;
  struct watch *ready;
};

static struct epoll *all;
static const struct file_operations set_of_files;

long hk_epoll_create(long flags) {
  struct inode *inode;
  struct epoll *epoll;
  if (flags & ~(long)O_CLOEXEC) return -EINVAL;
  inode = hk_new_inode(&set_of_files, 0600);
  epoll = calloc(1, sizeof *epoll);
  inode->stat->st_dev = PIPES;
  inode->object = epoll;
  epoll->inode = inode;
  epoll->next = all;
  all = epoll;
  return hk_install(hk_new_file(inode, O_RDWR), 0, (flags & O_CLOEXEC) != 0);
}

static struct epoll *of(const struct inode *inode) { return inode->object; }

/* Files on a disk and /dev/null are always ready, which epoll refuses to watch. */
static int is_watchable(const struct inode *inode) {
  return !inode->operations->is_always_ready || !inode->operations->is_always_ready(inode);
}

/* Depth of nested epoll sets below an inode; more than NESTING means too deep or a cycle. */
static int depth(const struct inode *inode, int limit) {
  const struct watch *watch;
  int deepest = 0;
  if (inode->kind != INODE_EPOLL || limit == 0) return limit == 0;
  for (watch = of(inode)->watches; watch; watch = watch->next) {
    int below = depth(watch->file->inode, limit - 1);
    if (below > deepest) deepest = below;
  }
  return deepest + 1;
}

/* True if `target` is the set or in one that it watches. */
static int reaches(const struct inode *from, const struct inode *target) {
  const struct watch *watch;
  if (from == target) return 1;
  if (from->kind != INODE_EPOLL) return 0;
  for (watch = of(from)->watches; watch; watch = watch->next)
    if (reaches(watch->file->inode, target)) return 1;
  return 0;
}

/* ---- what is ready ---- */

static uint32_t state(const struct watch *watch) { return (uint32_t)hk_events_of(watch->file) & watch->events & ~FLAGS; }

static uint64_t arrivals(const struct inode *inode) {
  return inode->operations->arrivals ? inode->operations->arrivals(inode) : 0;
}

static void line_up(struct epoll *epoll, struct watch *watch) {
  struct watch **end = &epoll->ready;
  if (watch->is_waiting) return;
  while (*end) end = &(*end)->behind;
  watch->is_waiting = 1;
  watch->behind = 0;
  *end = watch;
}

/* Lines up a watch whose event has just happened, and wakes the sets that watch this one. */
static void announce(struct epoll *epoll, struct watch *watch) {
  line_up(epoll, watch);
  hk_wake(epoll->inode, POLLIN | POLLRDNORM);
}

static void leave(struct epoll *epoll, struct watch *watch) {
  struct watch **link = &epoll->ready;
  if (!watch->is_waiting) return;
  while (*link != watch) link = &(*link)->behind;
  *link = watch->behind;
  watch->is_waiting = 0;
}

/* True if a watch of a file receives these events: a pipe has one queue of readers and one of writers. */
static int hears(const struct watch *watch, int events) {
  const int mode = watch->file->flags & O_ACCMODE;
  if (!(watch->events & ~FLAGS)) return 0;
  if (!events) return 1;
  if (mode == O_WRONLY) events &= ~(POLLIN | POLLRDNORM);
  if (mode == O_RDONLY) events &= ~(POLLOUT | POLLWRNORM);
  return (watch->events & (uint32_t)events) != 0;
}

/* Something happened to a file that wakes those who wait for one of these events; 0: for any. */
void hk_wake(const struct inode *inode, int events) {
  struct epoll *epoll;
  struct watch *watch;
  hk_change();
  for (epoll = all; epoll; epoll = epoll->next)
    for (watch = epoll->watches; watch; watch = watch->next)
      if (watch->file->inode == inode && hears(watch, events)) announce(epoll, watch);
}

/* Lines up what became ready by itself. */
static void look(struct epoll *epoll) {
  struct watch *watch;
  for (watch = epoll->watches; watch; watch = watch->next) {
    const uint64_t now = arrivals(watch->file->inode);
    if (watch->is_waiting || !hears(watch, 0) || (watch->events & EPOLLET && now == watch->seen)) continue;
    watch->seen = now;
    if (state(watch)) line_up(epoll, watch);
  }
}

static long add(struct epoll *epoll, const struct inode *own, struct open_file *file, long descriptor, uint32_t events, uint64_t data) {
  struct watch *watch, **end = &epoll->watches;
  if (reaches(file->inode, own) || depth(file->inode, NESTING) >= NESTING) return -ELOOP;
  watch = calloc(1, sizeof *watch);
  watch->file = file;
  watch->descriptor = descriptor;
  watch->events = events | POLLERR | POLLHUP;
  watch->data = data;
  watch->seen = arrivals(file->inode);
  while (*end) end = &(*end)->next;
  *end = watch;
  if (state(watch)) announce(epoll, watch);
  return 0;
}

long hk_epoll_ctl(long set, long operation, long descriptor, const void *event) {
  struct open_file *own = hk_file(set), *file = hk_file(descriptor);
  struct watch **link;
  uint32_t events = 0;
  uint64_t data = 0;
  operation = hk_int(operation, CTL_ADD, CTL_MOD);
  if (operation != CTL_DEL) {
    if (hk_bad(event)) return -EFAULT;
    memcpy(&events, event, sizeof events);
    memcpy(&data, (const char *)event + sizeof events, sizeof data);
    events = (uint32_t)homi_concretize(events);
  }
  if (!own || !file) return -EBADF;
  if (!is_watchable(file->inode)) return -EPERM;
  if (own == file || own->inode->kind != INODE_EPOLL) return -EINVAL;
  if (operation != CTL_DEL && (events & EPOLLEXCLUSIVE) && (operation == CTL_MOD || file->inode->kind == INODE_EPOLL || events & ~EXCLUSIVE))
    return -EINVAL;
  descriptor = (long)homi_concretize((uint32_t)descriptor);
  link = &of(own->inode)->watches;
  while (*link && ((*link)->file != file || (*link)->descriptor != descriptor)) link = &(*link)->next;
  if (operation == CTL_ADD) return *link ? -EEXIST : add(of(own->inode), own->inode, file, descriptor, events, data);
  if (operation != CTL_DEL && operation != CTL_MOD) return -EINVAL;
  if (!*link) return -ENOENT;
  if (operation == CTL_DEL) {
    struct watch *gone = *link;
    *link = gone->next;
    leave(of(own->inode), gone);
    free(gone);
    return 0;
  }
  if ((*link)->events & EPOLLEXCLUSIVE) return -EINVAL;
  (*link)->events = events | POLLERR | POLLHUP;
  (*link)->data = data;
  if (state(*link)) announce(of(own->inode), *link);
  return 0;
}

static int events(const struct open_file *file) {
  const struct watch *watch;
  look(of(file->inode));
  for (watch = of(file->inode)->ready; watch; watch = watch->behind)
    if (state(watch)) return POLLIN | POLLRDNORM;
  return 0;
}

/* Sum of the arrivals of all watched files. */
static uint64_t arrivals_of_set(const struct inode *inode) {
  const struct watch *watch;
  uint64_t sum = 0;
  for (watch = of(inode)->watches; watch; watch = watch->next) sum += arrivals(watch->file->inode);
  return sum;
}

static uint64_t next_expiry(const struct open_file *file) {
  const struct watch *watch;
  uint64_t first = 0;
  for (watch = of(file->inode)->watches; watch; watch = watch->next) {
    uint64_t next = hk_next_expiry(watch->file);
    if (next > hk_clock() && (!first || next < first)) first = next;
  }
  return first;
}

/* Takes up to `most` ready watches. A watch that is no longer ready leaves the list; a level-triggered one moves to its end. */
static long collect(struct epoll *epoll, char *to, long most) {
  struct watch *watch, *last = 0, *next;
  long count = 0;
  look(epoll);
  for (watch = epoll->ready; watch; watch = watch->behind) last = watch;
  for (watch = epoll->ready; watch && count < most; watch = watch == last ? 0 : next) {
    const uint32_t events = state(watch);
    next = watch->behind;
    leave(epoll, watch);
    if (!events) continue;
    memcpy(to + count * EVENT_BYTES, &events, 4);
    memcpy(to + count * EVENT_BYTES + 4, &watch->data, 8);
    count++;
    watch->seen = arrivals(watch->file->inode);
    if (watch->events & EPOLLONESHOT) watch->events &= FLAGS;
    else if (!(watch->events & EPOLLET)) line_up(epoll, watch);
  }
  return count;
}

long hk_epoll_wait(long set, void *events, long most, int64_t timeout, const uint64_t *mask) {
  struct open_file *own = hk_file(set);
  uint64_t deadline, saved = 0;
  long count, waited = 0;
  if (hk_decide((int)most <= 0)) return -EINVAL;
  most = (long)hk_below((uint32_t)most, DESCRIPTOR_LIMIT);
  if (hk_bad(events)) return -EFAULT;
  if (!own) return -EBADF;
  if (own->inode->kind != INODE_EPOLL) return -EINVAL;
  unsigned long before = hk_handled();
  count = collect(of(own->inode), events, most);
  if (count) return count;
  timeout = (int64_t)homi_concretize((uint64_t)timeout);
  deadline = timeout < 0 ? 0 : hk_clock() + (uint64_t)timeout;
  if (mask) saved = hk_enter_mask(mask);
  if (hk_handled() != before) waited = -EINTR;
  while (count == 0 && waited == 0) {
    waited = hk_wait(deadline, next_expiry(own), "epoll_wait waits for ever");
    count = collect(of(own->inode), events, most);
  }
  if (mask) hk_leave_mask(saved);
  if (count) return count;
  if (timeout == 0) {
    hk.slept += MOMENT;
    hk_yield();
  }
  return waited == -ETIMEDOUT ? 0 : waited;
}

/* The last descriptor of a file was closed: no set watches it any more. */
void hk_epoll_forget(const struct open_file *file) {
  struct epoll *epoll;
  for (epoll = all; epoll; epoll = epoll->next) {
    struct watch **at = &epoll->watches;
    while (*at) {
      struct watch *watch = *at;
      if (watch->file == file) {
        *at = watch->next;
        leave(epoll, watch);
        free(watch);
      } else {
        at = &watch->next;
      }
    }
  }
}

static void closed(struct open_file *file) {
  struct epoll *epoll, **link;
  for (link = &all; *link != file->inode->object; link = &(*link)->next) {}
  epoll = *link;
  *link = epoll->next;
  while (epoll->watches) {
    struct watch *watch = epoll->watches;
    epoll->watches = watch->next;
    free(watch);
  }
  free(epoll);
}

static const struct file_operations set_of_files = {
  .kind = INODE_EPOLL, .link = "anon_inode:[eventpoll]", .refuses_sync = 1, .read = hk_refuse_read, .write = hk_refuse_write, .seek = hk_seek_nowhere,
  .events = events, .next_expiry = next_expiry, .arrivals = arrivals_of_set, .closed = closed,
};
