/* epoll: a set of descriptors that is asked as poll asks. What is reported goes to the end of the list, so that
 * everything has its turn when there is more than fits into the answer. */
#include "internal.h"

enum { CTL_ADD = 1, CTL_DEL, CTL_MOD };
enum { EVENT_BYTES = 12, POLLIN = 1, POLLERR = 8, POLLHUP = 16, POLLRDNORM = 64, NESTING = 5 };
static const uint32_t EPOLLET = 1u << 31, EPOLLONESHOT = 1u << 30, EPOLLEXCLUSIVE = 1u << 28, WAKEUP = 1u << 29;
static const uint64_t MOMENT = 1000; /* nanoseconds that a look takes */

struct watch {
  struct watch *next;
  struct open_file *file;
  long descriptor;
  uint32_t events;      /* wanted, with the flags above; 0 of the former: reported once and disabled */
  uint64_t data;
  uint64_t seen;        /* arrivals when it was reported last */
  int is_new;           /* not reported since it was added or changed */
};

struct epoll {
  struct epoll *next;
  struct watch *watches;
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
  epoll->next = all;
  all = epoll;
  return hk_install(hk_new_file(inode, O_RDWR), 0, (flags & O_CLOEXEC) != 0);
}

static struct epoll *of(const struct inode *inode) { return inode->object; }

/* Files on a disk and /dev/null are always ready, which epoll refuses to watch. */
static int is_watchable(const struct inode *inode) {
  return !inode->operations->is_always_ready || !inode->operations->is_always_ready(inode);
}

/* How deep sets of sets go from here; more than NESTING: too deep or a circle. */
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

/* Whether `target` is the set or in one that it watches. */
static int reaches(const struct inode *from, const struct inode *target) {
  const struct watch *watch;
  if (from == target) return 1;
  if (from->kind != INODE_EPOLL) return 0;
  for (watch = of(from)->watches; watch; watch = watch->next)
    if (reaches(watch->file->inode, target)) return 1;
  return 0;
}

static long add(struct epoll *epoll, const struct inode *own, struct open_file *file, long descriptor, uint32_t events, uint64_t data) {
  struct watch *watch, **end = &epoll->watches;
  if (reaches(file->inode, own) || depth(file->inode, NESTING) >= NESTING) return -ELOOP;
  watch = calloc(1, sizeof *watch);
  watch->file = file;
  watch->descriptor = descriptor;
  watch->events = events | POLLERR | POLLHUP;
  watch->data = data;
  watch->is_new = 1;
  while (*end) end = &(*end)->next;
  *end = watch;
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
  if ((events & EPOLLEXCLUSIVE) && (operation == CTL_MOD || file->inode->kind == INODE_EPOLL)) return -EINVAL;
  descriptor = (long)homi_concretize((uint32_t)descriptor);
  link = &of(own->inode)->watches;
  while (*link && ((*link)->file != file || (*link)->descriptor != descriptor)) link = &(*link)->next;
  if (operation == CTL_ADD) return *link ? -EEXIST : add(of(own->inode), own->inode, file, descriptor, events, data);
  if (operation != CTL_DEL && operation != CTL_MOD) return -EINVAL;
  if (!*link) return -ENOENT;
  if (operation == CTL_DEL) {
    struct watch *gone = *link;
    *link = gone->next;
    free(gone);
  } else {
    (*link)->events = events | POLLERR | POLLHUP;
    (*link)->data = data;
    (*link)->is_new = 1;
  }
  return 0;
}

static uint64_t arrivals(const struct inode *inode) {
  return inode->operations->arrivals ? inode->operations->arrivals(inode) : inode->arrivals;
}

/* The events to report now. */
static uint32_t ready(const struct watch *watch) {
  const uint32_t flags = EPOLLET | EPOLLONESHOT | EPOLLEXCLUSIVE | WAKEUP;
  if (!(watch->events & ~flags)) return 0;
  if ((watch->events & EPOLLET) && !watch->is_new && arrivals(watch->file->inode) == watch->seen) return 0;
  return (uint32_t)hk_events_of(watch->file) & watch->events & ~flags;
}

static int events(const struct open_file *file) {
  const struct watch *watch;
  for (watch = of(file->inode)->watches; watch; watch = watch->next)
    if (ready(watch)) return POLLIN | POLLRDNORM;
  return 0;
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

/* Takes up to `most` ready watches. The list then has the ready watches that were not taken, the taken ones, the rest. */
static long collect(struct epoll *epoll, char *to, long most) {
  enum { WAITING, TAKEN, REST, PARTS };
  struct watch *lists[PARTS] = {0}, **ends[PARTS] = {&lists[WAITING], &lists[TAKEN], &lists[REST]}, *watch;
  long count = 0;
  for (watch = epoll->watches; watch; watch = watch->next) {
    uint32_t events = ready(watch);
    int part = !events ? REST : count < most ? TAKEN : WAITING;
    *ends[part] = watch;
    ends[part] = &watch->next;
    if (part != TAKEN) continue;
    memcpy(to + count * EVENT_BYTES, &events, 4);
    memcpy(to + count * EVENT_BYTES + 4, &watch->data, 8);
    count++;
    watch->seen = arrivals(watch->file->inode);
    watch->is_new = 0;
    if (watch->events & EPOLLONESHOT) watch->events &= EPOLLET | EPOLLONESHOT;
  }
  *ends[WAITING] = lists[TAKEN];
  if (lists[TAKEN]) ends[WAITING] = ends[TAKEN];
  *ends[WAITING] = lists[REST];
  *ends[REST] = 0;
  epoll->watches = lists[WAITING];
  if (!lists[REST]) *ends[WAITING] = 0;
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
  .kind = INODE_EPOLL, .refuses_sync = 1, .read = hk_refuse_read, .write = hk_refuse_write, .seek = hk_seek_nowhere,
  .events = events, .next_expiry = next_expiry, .closed = closed,
};
