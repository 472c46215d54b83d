/* Descriptors on which something else than a file arrives: counters (eventfd), times (timerfd) and signals (signalfd). */
#include "internal.h"

enum { POLLIN = 1, POLLOUT = 4 };
enum { SEMAPHORE = 1, ABSOLUTE = 1, SECOND = 1000000000, RECORD = 128 };

/* One for each descriptor that these calls make; duplicates share it. */
struct event {
  uint64_t count;      /* eventfd: the counter */
  int is_semaphore;
  uint64_t next;       /* timerfd: when it goes off next; 0: it does not */
  uint64_t interval;   /* nanoseconds; 0: once */
  uint64_t rung;       /* timerfd: how often it went off for the first time since it was set or read */
  uint64_t signals;    /* signalfd: which it takes */
};

static struct event *of(const struct inode *inode) { return inode->object; }

static const struct file_operations counter, timer, signals;

static long make(const struct file_operations *operations, long flags, struct event **event) {
  struct inode *inode = hk_new_inode(operations, 0600);
  int mode = O_RDWR;
  *event = calloc(1, sizeof **event);
  inode->object = *event;
  inode->stat->st_dev = PIPES;
  inode->stat->st_nlink = 1;
  return hk_install(hk_new_file(inode, mode | (int)(flags & O_NONBLOCK)), 0, (flags & O_CLOEXEC) != 0);
}

long hk_eventfd(uint64_t count, long flags) {
  struct event *event;
  long descriptor;
  flags = hk_flags(flags, SEMAPHORE | O_NONBLOCK | O_CLOEXEC);
  if (flags < 0) return -EINVAL;
  descriptor = make(&counter, flags, &event);
  event->count = (uint32_t)count;
  event->is_semaphore = (int)flags & SEMAPHORE;
  return descriptor;
}

static struct event *timer_at(long descriptor, long *error) {
  struct open_file *file = hk_file(descriptor);
  *error = file ? -EINVAL : -EBADF;
  return file && file->inode->kind == INODE_TIMER ? of(file->inode) : 0;
}

long hk_timerfd_create(long clock, long flags) {
  struct event *event;
  clock = hk_int(clock, 0, 9);
  flags = hk_flags(flags, O_NONBLOCK | O_CLOEXEC);
  if (flags < 0) return -EINVAL;
  if (clock != 0 && clock != 1 && clock != 7 && clock != 8 && clock != 9) return -EINVAL;
  return make(&timer, flags, &event);
}

/* Number of expirations that were not read yet. */
static uint64_t expirations(const struct event *event) {
  uint64_t now = hk_clock();
  if (!event->next || event->next > now) return 0;
  return event->interval ? 1 + (now - event->next) / event->interval : 1;
}

static void put_time(struct kernel_time *to, uint64_t nanoseconds) {
  to->seconds = (int64_t)(nanoseconds / SECOND);
  to->nanoseconds = (int64_t)(nanoseconds % SECOND);
}

static void describe_timer(const struct event *event, struct kernel_time *value) {
  uint64_t now = hk_clock(), next = event->next, missed = expirations(event);
  if (missed) next = event->interval ? next + missed * event->interval : 0;
  put_time(value, event->interval);
  put_time(value + 1, next ? next - now : 0);
}

long hk_timerfd_gettime(long descriptor, struct kernel_time *value) {
  long error;
  const struct event *event = timer_at(descriptor, &error);
  if (!event) return error;
  if (hk_bad(value)) return -EFAULT;
  describe_timer(event, value);
  return 0;
}

long hk_timerfd_settime(long descriptor, long flags, const struct kernel_time *value, struct kernel_time *old) {
  long error;
  struct event *event = timer_at(descriptor, &error);
  uint64_t interval, first;
  if (hk_bad(value)) return -EFAULT;
  flags = hk_flags(flags, 3);
  if (flags < 0) return -EINVAL;
  if (!event) return error;
  interval = hk_deadline_of(value, 0, &error);
  if (!error) first = hk_deadline_of(value + 1, (int)flags & ABSOLUTE, &error);
  if (error) return error;
  if (old) describe_timer(event, old);
  event->rung += expirations(event) > 0;
  event->interval = interval - hk_clock();
  event->next = value[1].seconds || value[1].nanoseconds ? first : 0;
  return 0;
}

long hk_signalfd(long descriptor, const uint64_t *set, uint64_t size, long flags) {
  struct event *event;
  flags = hk_flags(flags, O_NONBLOCK | O_CLOEXEC);
  if (hk_decide(size != 8) || flags < 0) return -EINVAL;
  if (hk_bad(set)) return -EFAULT;
  if (hk_decide((int)descriptor == -1)) {
    descriptor = make(&signals, flags, &event);
  } else {
    struct open_file *file = hk_file(descriptor);
    if (!file) return -EBADF;
    if (file->inode->kind != INODE_SIGNALS) return -EINVAL;
    event = of(file->inode);
  }
  event->signals = *set & ~((uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1));
  return descriptor;
}

/* ---- waiting ---- */

static long wait_until(int (*is_readable)(const struct inode *inode), struct open_file *file) {
  hk_interrupted();
  while (!is_readable(file->inode)) {
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    hk_wait(0, hk_next_expiry(file), "read from a descriptor of events waits for ever");
    if (hk_interrupted() && (!is_readable(file->inode) || !hk_has_threads())) return -EINTR;
  }
  return 0;
}

/* ---- eventfd ---- */

static int has_count(const struct inode *inode) { return hk_decide(of(inode)->count > 0); }

static int counter_events(const struct open_file *file) {
  return (has_count(file->inode) ? POLLIN : 0) | (hk_decide(of(file->inode)->count < UINT64_MAX - 1) ? POLLOUT : 0);
}

static long read_counter(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct event *event = of(file->inode);
  uint64_t value;
  long error;
  (void)offset;
  if (hk_decide(n < sizeof value)) return -EINVAL;
  error = wait_until(has_count, file);
  if (error < 0) return error;
  value = event->is_semaphore ? 1 : event->count;
  event->count -= value;
  hk_wake(file->inode, POLLOUT);
  memcpy(buffer, &value, sizeof value);
  return sizeof value;
}

static long write_counter(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  struct event *event = of(file->inode);
  uint64_t value;
  (void)offset;
  if (hk_decide(n < sizeof value)) return -EINVAL;
  memcpy(&value, buffer, sizeof value);
  if (hk_decide(value == UINT64_MAX)) return -EINVAL;
  hk_interrupted();
  while (hk_decide(event->count > UINT64_MAX - 1 - value)) {
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    hk_wait(0, 0, "write to a full counter waits for ever");
    if (hk_interrupted()) return -EINTR;
  }
  event->count += value;
  hk_wake(file->inode, POLLIN);
  return sizeof value;
}

static const struct file_operations counter = {
  .kind = INODE_EVENT, .link = "anon_inode:[eventfd]", .refuses_sync = 1, .read = read_counter, .write = write_counter, .seek = hk_seek_nowhere,
  .events = counter_events,
};

/* ---- timerfd ---- */

static int has_expired(const struct inode *inode) { return expirations(of(inode)) > 0; }

static int timer_events(const struct open_file *file) { return has_expired(file->inode) ? POLLIN : 0; }

static uint64_t timer_expiry(const struct open_file *file) { return of(file->inode)->next; }

/* A timer with an interval wakes no waiter again until it is read. */
static uint64_t timer_arrivals(const struct inode *inode) { return of(inode)->rung + has_expired(inode); }

static long read_timer(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct event *event = of(file->inode);
  uint64_t value;
  long error;
  (void)offset;
  if (hk_decide(n < sizeof value)) return -EINVAL;
  error = wait_until(has_expired, file);
  if (error < 0) return error;
  value = expirations(event);
  event->rung++;
  event->next = event->interval ? event->next + value * event->interval : 0;
  memcpy(buffer, &value, sizeof value);
  return sizeof value;
}

static const struct file_operations timer = {
  .kind = INODE_TIMER, .link = "anon_inode:[timerfd]", .refuses_sync = 1, .read = read_timer, .write = hk_refuse_write, .seek = hk_seek_nowhere,
  .events = timer_events, .next_expiry = timer_expiry, .arrivals = timer_arrivals,
};

/* ---- signalfd ---- */

static int has_signal(const struct inode *inode) { return (hk_pending_signals() & of(inode)->signals) != 0; }

static uint64_t signal_arrivals(const struct inode *inode) { return (void)inode, hk_waiting_signals(); }

static int signal_events(const struct open_file *file) { return has_signal(file->inode) ? POLLIN : 0; }

/* struct signalfd_siginfo from siginfo_t. */
static void describe_signal(unsigned char *to, const int32_t *information) {
  const int32_t code = information[2];
  memset(to, 0, RECORD);
  memcpy(to, information, 4);
  memcpy(to + 8, &code, 4);
  if (code == -2) {
    memcpy(to + 24, information + 4, 4); /* ssi_tid: the timer */
    memcpy(to + 32, information + 5, 4);
  } else if (code != 0x80) {
    memcpy(to + 12, information + 4, 8); /* pid and uid */
  }
  if (code == -1 || code == -2 || code == -3) {
    memcpy(to + 44, information + 6, 4);
    memcpy(to + 48, information + 6, 8);
  }
}

static long read_signals(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  const struct event *event = of(file->inode);
  unsigned char *to = buffer;
  int32_t information[32];
  uint64_t done = 0;
  long error;
  (void)offset;
  if (hk_decide(n < RECORD)) return -EINVAL;
  error = wait_until(has_signal, file);
  if (error < 0) return error;
  for (; hk_decide(done + RECORD <= n) && hk_take_signal(event->signals, information); done += RECORD)
    describe_signal(to + done, information);
  return (long)done;
}

static const struct file_operations signals = {
  .kind = INODE_SIGNALS, .link = "anon_inode:[signalfd]", .refuses_sync = 1, .read = read_signals, .write = hk_refuse_write, .seek = hk_seek_nowhere,
  .events = signal_events, .arrivals = signal_arrivals,
};
