/* Locks of files: flock's belong to an open file description, locks of a range to a description or to the process. A process that the
 * path does not follow holds none. */
#include "internal.h"

enum { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2, LOCK_NO_WAIT = 4, LOCK_RELEASE = 8, LOCK_MANDATORY = 32 };
enum { READING = 0, WRITING = 1, NONE = 2 };
enum { SEEK_SET, SEEK_CUR, SEEK_END };
static const int64_t LAST = INT64_MAX;

struct lock {
  struct lock *next;
  const struct open_file *file; /* whose it is; null: the process's */
  int process;                  /* that made it */
  int is_whole;                 /* flock's, which a lock of a range does not see */
  int type;
  int64_t start, end;           /* the last byte */
};

/* struct flock. */
struct wish {
  int16_t type, whence;
  int64_t start, length;
  int32_t process;
};

static int is_own(const struct lock *a, const struct lock *b) {
  return a->is_whole == b->is_whole && a->file == b->file && (a->file || a->process == b->process);
}

static int overlap(const struct lock *a, const struct lock *b) { return a->start <= b->end && b->start <= a->end; }

/* The first lock that another one has to wait for. */
static const struct lock *conflict(const struct inode *inode, const struct lock *wanted) {
  const struct lock *lock;
  for (lock = inode->locks; lock; lock = lock->next) {
    if (lock->is_whole != wanted->is_whole || is_own(lock, wanted) || !overlap(lock, wanted)) continue;
    if (!lock->file && lock->process != hk.process) continue;
    if (lock->type == WRITING || wanted->type == WRITING) return lock;
  }
  return 0;
}

static struct lock **insert(struct lock **link, const struct lock *lock) {
  struct lock *copy = malloc(sizeof *copy);
  *copy = *lock;
  copy->next = *link;
  *link = copy;
  return &copy->next;
}

static void remove_at(struct lock **link) {
  struct lock *gone = *link;
  *link = gone->next;
  free(gone);
}

/* Removes a range from a lock of the same owner at `link`; returns the link after the left part. */
static struct lock **cut(struct lock **link, const struct lock *hole) {
  struct lock right = **link, *lock = *link;
  struct lock **behind = link;
  right.start = hole->end + 1;
  if (lock->start < hole->start) {
    behind = &lock->next;
    if (lock->end > hole->end) insert(behind, &right);
    lock->end = hole->start - 1;
  } else {
    lock->start = right.start;
    if (right.end <= hole->end) remove_at(link);
  }
  return behind;
}

/* True if an own lock becomes one with a wanted one of the same type. */
static int joins(const struct lock *lock, const struct lock *wanted) {
  return lock->type == wanted->type && (lock->end == LAST || lock->end + 1 >= wanted->start) &&
         (wanted->end == LAST || wanted->end + 1 >= lock->start);
}

/* Locks of an owner lie together, in order of their places, and none touches another of its type. */
static void apply(struct inode *inode, struct lock wanted) {
  struct lock **link, **place = 0;
  for (link = &inode->locks; *link;) {
    struct lock *lock = *link;
    if (!is_own(lock, &wanted)) {
      if (place) break;
      link = &lock->next;
    } else if (joins(lock, &wanted)) {
      if (lock->start < wanted.start) wanted.start = lock->start;
      if (lock->end > wanted.end) wanted.end = lock->end;
      remove_at(link);
      place = link;
    } else if (overlap(lock, &wanted)) {
      struct lock **behind = cut(link, &wanted);
      place = behind;
      link = *behind && is_own(*behind, &wanted) && (*behind)->start > wanted.end ? &(*behind)->next : behind;
    } else {
      if (lock->start < wanted.start || !place) place = lock->start < wanted.start ? &lock->next : link;
      link = &lock->next;
    }
  }
  if (wanted.type != NONE) insert(place ? place : link, &wanted);
}

static long wait_for(const struct inode *inode, const struct lock *wanted, int waits) {
  hk_interrupted();
  while (conflict(inode, wanted)) {
    if (!waits) return -EAGAIN;
    hk_wait(0, 0, "a lock of a file is waited for for ever");
    if (hk_interrupted() && conflict(inode, wanted)) return -EINTR;
  }
  return 0;
}

long hk_flock(long descriptor, long operation) {
  struct lock wanted = {.is_whole = 1, .process = hk.process, .end = LAST};
  struct open_file *file;
  long error;
  operation = (int)homi_concretize((unsigned)operation);
  if (operation & LOCK_MANDATORY) return 0; /* a word of old programs, to which Linux listens no more */
  switch (operation & ~(long)LOCK_NO_WAIT) {
  case LOCK_SHARED: wanted.type = READING; break;
  case LOCK_EXCLUSIVE: wanted.type = WRITING; break;
  case LOCK_RELEASE: wanted.type = NONE; break;
  default: return -EINVAL;
  }
  file = hk_file(descriptor);
  if (!file || (file->flags & O_PATH) || (wanted.type != NONE && (file->flags & O_ACCMODE) == 3)) return -EBADF;
  wanted.file = file;
  /* A lock of the other type is given up before the new one is waited for. */
  struct lock *own = file->inode->locks, none = wanted;
  none.type = NONE;
  while (own && !is_own(own, &wanted)) own = own->next;
  if (own && own->type == wanted.type) return 0;
  if (own) apply(file->inode, none);
  if (wanted.type == NONE) return 0;
  error = wait_for(file->inode, &wanted, !(operation & LOCK_NO_WAIT));
  if (error == 0) apply(file->inode, wanted);
  return error;
}

/* The range of a wish: 0 or -errno. */
static long range_of(struct open_file *file, const struct wish *wish, struct lock *lock) {
  const int64_t start = (int64_t)homi_concretize((uint64_t)wish->start), length = (int64_t)homi_concretize((uint64_t)wish->length);
  int64_t from;
  switch (hk_int(wish->whence, SEEK_SET, SEEK_END)) {
  case SEEK_SET: from = 0; break;
  case SEEK_CUR: from = file->offset; break;
  case SEEK_END: from = (int64_t)homi_concretize((uint64_t)hk_stat_of(file->inode)->st_size); break;
  default: return -EINVAL;
  }
  if (start > LAST - from) return -EOVERFLOW;
  from += start;
  if (from < 0) return -EINVAL;
  if (length > 0 && length - 1 > LAST - from) return -EOVERFLOW;
  if (length < 0 && from + length < 0) return -EINVAL;
  lock->start = length < 0 ? from + length : from;
  lock->end = length > 0 ? from + length - 1 : length < 0 ? from - 1 : LAST;
  lock->type = (int)hk_int(wish->type, READING, NONE);
  return lock->type > NONE ? -EINVAL : 0;
}

/* fcntl's locks, of the description if `of_file`, else of the process. */
long hk_get_lock(struct open_file *file, struct wish *wish, int of_file) {
  struct lock wanted = {.file = of_file ? file : 0, .process = hk.process};
  const struct lock *found;
  long error;
  if (hk_bad(wish)) return -EFAULT;
  error = range_of(file, wish, &wanted);
  if (error < 0) return error;
  if (wanted.type == NONE || (of_file && hk_decide(wish->process != 0))) return -EINVAL;
  found = conflict(file->inode, &wanted);
  if (!found) {
    wish->type = NONE;
    return 0;
  }
  wish->type = (int16_t)found->type;
  wish->whence = SEEK_SET;
  wish->start = found->start;
  wish->length = found->end == LAST ? 0 : found->end - found->start + 1;
  wish->process = found->file ? -1 : found->process;
  return 0;
}

long hk_set_lock(struct open_file *file, const struct wish *wish, int of_file, int waits) {
  struct lock wanted = {.file = of_file ? file : 0, .process = hk.process};
  const int mode = file->flags & O_ACCMODE;
  long error;
  if (hk_bad(wish)) return -EFAULT;
  error = range_of(file, wish, &wanted);
  if (error < 0) return error;
  if (wanted.type == READING && mode == O_WRONLY) return -EBADF;
  if (wanted.type == WRITING && mode == O_RDONLY) return -EBADF;
  if (of_file && hk_decide(wish->process != 0)) return -EINVAL;
  error = wanted.type == NONE ? 0 : wait_for(file->inode, &wanted, waits);
  if (error == 0) apply(file->inode, wanted);
  return error;
}

/* The process closes a descriptor of the file: the process's locks end; the description's locks end with its last descriptor. */
void hk_forget_locks(const struct open_file *file) {
  struct lock **link = &file->inode->locks;
  while (*link) {
    const struct lock *lock = *link;
    if (lock->file ? lock->file == file && file->references == 1 : lock->process == hk.process) remove_at(link);
    else link = &(*link)->next;
  }
}
