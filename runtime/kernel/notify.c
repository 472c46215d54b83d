/* inotify: watches on files and directories of the modeled tree, and a queue of what the program itself did to them. Nobody else
 * changes the tree.
 *
 * Files do not know their names: an event of a file is one of every watched directory that has an entry for it. */
#include "internal.h"

enum { ACCESS = 1, MODIFY = 2, ATTRIBUTES = 4, CLOSE_WRITE = 8, CLOSE_NOWRITE = 0x10, OPEN = 0x20, MOVED_FROM = 0x40, MOVED_TO = 0x80,
       CREATE = 0x100, DELETE = 0x200, DELETE_SELF = 0x400, MOVE_SELF = 0x800, ALL = 0xfff, IGNORED = 0x8000, OVERFLOW = 0x4000 };
enum { ONLY_DIRECTORY = 0x01000000, DONT_FOLLOW = 0x02000000, EXCLUDE_UNLINKED = 0x04000000, MASK_CREATE = 0x10000000,
       MASK_ADD = 0x20000000, IS_DIRECTORY = 0x40000000 };
static const uint32_t ONCE = 0x80000000u;
enum { HEAD = 16, POLLIN = 1, POLLRDNORM = 64, MOST_EVENTS = 16384 };

struct watch {
  struct watch *next;
  struct inode *inode;
  uint32_t mask;
  int32_t number;
};

/* As read gives it: watch, mask, cookie, length of the name with its padding, name. */
struct event {
  struct event *next;
  uint32_t head[4];
  char name[];
};

struct notify {
  struct notify *next;
  struct inode *inode;
  struct watch *watches;
  struct event *first, *last;
  uint64_t bytes, count;
  int32_t numbers;
};

static struct notify *all;
static uint32_t cookies;
static const struct file_operations watcher;

long hk_inotify_init(long flags) {
  struct notify *notify;
  struct inode *inode;
  flags = hk_flags(flags, O_NONBLOCK | O_CLOEXEC);
  if (flags < 0) return -EINVAL;
  inode = hk_new_inode(&watcher, 0600);
  notify = calloc(1, sizeof *notify);
  notify->inode = inode;
  notify->next = all;
  all = notify;
  inode->object = notify;
  inode->stat->st_dev = PIPES;
  inode->stat->st_nlink = 1;
  return hk_install(hk_new_file(inode, O_RDONLY | (int)(flags & O_NONBLOCK)), 0, (flags & O_CLOEXEC) != 0);
}

static struct notify *notify_at(long descriptor, long *error) {
  struct open_file *file = hk_file(descriptor);
  *error = file ? -EINVAL : -EBADF;
  return file && file->inode->kind == INODE_NOTIFY ? file->inode->object : 0;
}

/* ---- events ---- */

static int is_same(const struct event *a, const struct event *b) {
  return memcmp(a->head, b->head, sizeof a->head) == 0 && memcmp(a->name, b->name, a->head[3]) == 0;
}

static void queue(struct notify *notify, int32_t watch, uint32_t mask, uint32_t cookie, const char *name, unsigned length) {
  const uint32_t padded = name ? (length + HEAD) / HEAD * HEAD : 0;
  struct event *event = calloc(1, sizeof *event + padded);
  event->head[0] = (uint32_t)watch;
  event->head[1] = mask;
  event->head[2] = cookie;
  event->head[3] = padded;
  if (name) memcpy(event->name, name, length);
  /* One that says no more than the last one is none. */
  if ((notify->last && is_same(notify->last, event)) || notify->count > MOST_EVENTS) {
    free(event);
    return;
  }
  if (notify->count++ == MOST_EVENTS) {
    event->head[0] = ~(uint32_t)0;
    event->head[1] = OVERFLOW;
    event->head[2] = event->head[3] = 0;
  }
  if (notify->last) notify->last->next = event;
  else notify->first = event;
  notify->last = event;
  notify->bytes += HEAD + event->head[3];
  hk_wake(notify->inode, 0);
}

static void remove_watch(struct notify *notify, struct watch *watch) {
  struct watch **link = &notify->watches;
  while (*link != watch) link = &(*link)->next;
  *link = watch->next;
  queue(notify, watch->number, IGNORED, 0, 0, 0);
  free(watch);
}

/* Queues an event for a watch of `inode`; true if the watch is removed. */
static int tell(struct notify *notify, struct watch *watch, uint32_t mask, uint32_t cookie, const char *name, unsigned length) {
  if (!(watch->mask & mask & ALL)) return 0;
  queue(notify, watch->number, mask, cookie, name, length);
  if (!(watch->mask & ONCE)) return 0;
  remove_watch(notify, watch);
  return 1;
}

static void tell_all(const struct inode *inode, uint32_t mask, uint32_t cookie, const char *name, unsigned length) {
  struct notify *notify;
  for (notify = all; notify; notify = notify->next) {
    struct watch *watch, *next;
    for (watch = notify->watches; watch; watch = next) {
      next = watch->next;
      if (watch->inode == inode && tell(notify, watch, mask, cookie, name, length)) break;
    }
  }
}

static uint32_t directory_bit(const struct inode *inode) { return inode->kind == INODE_DIRECTORY ? IS_DIRECTORY : 0; }

/* Something was done with an open or a named file: for the directories that have it, then for itself. */
void hk_tell_file(struct inode *inode, uint32_t mask) {
  struct notify *notify;
  if (!all) return;
  mask |= directory_bit(inode);
  for (notify = all; notify; notify = notify->next) {
    struct watch *watch, *next;
    for (watch = notify->watches; watch; watch = next) {
      struct entry *entry = watch->inode->kind == INODE_DIRECTORY ? watch->inode->entries : 0;
      next = watch->next;
      while (entry && entry->inode != inode) entry = entry->next;
      if (entry && tell(notify, watch, mask, 0, entry->name, entry->length)) break;
    }
  }
  tell_all(inode, mask, 0, 0, 0);
}

void hk_tell_name(struct inode *directory, const char *name, unsigned length, struct inode *inode, uint32_t mask) {
  if (all) tell_all(directory, mask | directory_bit(inode), 0, name, length);
}

/* A name went from one place to another, where another file may have had it. */
void hk_tell_move(const struct place *from, const struct place *to) {
  const uint32_t directory = directory_bit(from->inode);
  if (!all) return;
  cookies++;
  tell_all(from->directory, MOVED_FROM | directory, cookies, from->name, from->length);
  tell_all(to->directory, MOVED_TO | directory, cookies, to->name, to->length);
  if (to->inode) hk_tell_fewer_links(to->inode);
  tell_all(from->inode, MOVE_SELF, 0, 0, 0);
}

/* A name of the file is gone. */
void hk_tell_fewer_links(struct inode *inode) {
  if (all && inode->kind != INODE_DIRECTORY) tell_all(inode, ATTRIBUTES, 0, 0, 0);
}

/* Nothing leads to the file any more: its watches end. */
void hk_tell_end(struct inode *inode) {
  struct notify *notify;
  for (notify = all; notify; notify = notify->next) {
    struct watch *watch = notify->watches;
    while (watch && watch->inode != inode) watch = watch->next;
    if (!watch) continue;
    if (watch->mask & DELETE_SELF) queue(notify, watch->number, DELETE_SELF, 0, 0, 0);
    remove_watch(notify, watch);
  }
}

/* ---- the calls ---- */

long hk_inotify_add_watch(long descriptor, const char *path, long flags) {
  const uint32_t mask = (uint32_t)homi_concretize((unsigned long)flags);
  struct notify *notify;
  struct watch *watch, **last;
  struct place place;
  long error;
  if (!(mask & (ALL | 0x2000 | IGNORED | OVERFLOW | IS_DIRECTORY | ONLY_DIRECTORY | DONT_FOLLOW | EXCLUDE_UNLINKED | MASK_ADD | MASK_CREATE | ONCE)))
    return -EINVAL;
  notify = notify_at(descriptor, &error);
  if (!notify) return error;
  if ((mask & MASK_ADD) && (mask & MASK_CREATE)) return -EINVAL;
  error = hk_walk(AT_FDCWD, path, mask & DONT_FOLLOW ? 0 : WALK_FOLLOW, &place);
  if (error < 0) return error;
  if (place.alias >= 0) place.inode = hk_file(place.alias)->inode;
  if ((mask & ONLY_DIRECTORY) && !hk_is_directory(place.inode)) return -ENOTDIR;
  if (!hk_allowed(place.inode, MAY_READ)) return -EACCES;
  if (!(mask & (ALL | 0x2000))) return -EINVAL;
  for (last = &notify->watches; (watch = *last); last = &watch->next) {
    if (watch->inode != place.inode) continue;
    if (mask & MASK_CREATE) return -EEXIST;
    watch->mask = mask & MASK_ADD ? watch->mask | mask : mask;
    return watch->number;
  }
  watch = calloc(1, sizeof *watch);
  watch->inode = place.inode;
  watch->mask = mask;
  watch->number = ++notify->numbers;
  *last = watch;
  return watch->number;
}

long hk_inotify_rm_watch(long descriptor, long number) {
  long error;
  struct notify *notify = notify_at(descriptor, &error);
  struct watch *watch;
  if (!notify) return error;
  number = hk_int(number, 1, notify->numbers);
  for (watch = notify->watches; watch && watch->number != number; watch = watch->next) {}
  if (!watch) return -EINVAL;
  remove_watch(notify, watch);
  return 0;
}

static long read_events(struct open_file *file, void *to, uint64_t n, uint64_t offset) {
  struct notify *notify = file->inode->object;
  unsigned char *buffer = to;
  uint64_t done = 0;
  (void)offset;
  hk_interrupted();
  while (!notify->first) {
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    if (hk_wait(0, 0, "read of inotify waits for ever") < 0 || (!notify->first && hk_interrupted())) return -EINTR;
  }
  while (notify->first) {
    struct event *event = notify->first;
    const uint64_t size = HEAD + event->head[3];
    if (hk_decide(done + size > n)) return done ? (long)done : -EINVAL;
    memcpy(buffer + done, event->head, HEAD);
    memcpy(buffer + done + HEAD, event->name, event->head[3]);
    done += size;
    notify->bytes -= size;
    notify->count--;
    notify->first = event->next;
    if (!notify->first) notify->last = 0;
    free(event);
  }
  return (long)done;
}

static int events(const struct open_file *file) {
  const struct notify *notify = file->inode->object;
  return notify->first ? POLLIN | POLLRDNORM : 0;
}

static int64_t available(const struct open_file *file) { return (int64_t)((const struct notify *)file->inode->object)->bytes; }

static void closed(struct open_file *file) {
  struct inode *inode = file->inode;
  struct notify *notify = inode->object, **link = &all;
  if (inode->opens > 0) return;
  while (*link != notify) link = &(*link)->next;
  *link = notify->next;
  while (notify->watches) {
    struct watch *watch = notify->watches;
    notify->watches = watch->next;
    free(watch);
  }
  while (notify->first) {
    struct event *event = notify->first;
    notify->first = event->next;
    free(event);
  }
  free(notify);
  inode->object = 0;
}

static const struct file_operations watcher = {
  .kind = INODE_NOTIFY, .link = "anon_inode:inotify", .refuses_sync = 1, .read = read_events, .seek = hk_seek_nowhere, .events = events,
  .available = available, .closed = closed,
};
