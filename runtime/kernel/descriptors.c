/* Descriptors: small numbers that share open file descriptions. The lowest free number is given out. */
#include "internal.h"

enum { F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4, F_GETLK = 5, F_SETLK = 6, F_SETLKW = 7,
       F_SETOWN = 8, F_GETOWN = 9, F_SETSIG = 10, F_GETSIG = 11, F_GETLEASE = 1025, F_UNLCK = 2, F_DUPFD_CLOEXEC = 1030, F_SETPIPE_SZ = 1031, F_GETPIPE_SZ = 1032,
       F_ADD_SEALS = 1033, F_GET_SEALS = 1034, F_OFD_GETLK = 36, F_OFD_SETLK = 37, F_OFD_SETLKW = 38 };

struct open_file *hk_file(long descriptor) {
  const unsigned number = (unsigned)hk_below((uint32_t)descriptor, hk.descriptor_count);
  return number < hk.descriptor_count ? hk.descriptors[number].file : 0;
}

/* The same for calls that use the file: null for what only names it (O_PATH). */
struct open_file *hk_used_file(long descriptor) {
  struct open_file *file = hk_file(descriptor);
  return file && file->flags & O_PATH ? 0 : file;
}

struct open_file *hk_new_file(struct inode *inode, int flags) {
  struct open_file *file = calloc(1, sizeof *file);
  file->inode = inode;
  file->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC);
  inode->opens++;
  if (inode->operations->opened && !(flags & O_PATH)) inode->operations->opened(file);
  return file;
}

static long reserve(unsigned number) {
  unsigned count = hk.descriptor_count ? hk.descriptor_count : 8;
  struct descriptor *grown;
  if (number >= hk_descriptor_limit()) return -EMFILE;
  if (number < hk.descriptor_count) return 0;
  while (count <= number) count *= 2;
  grown = realloc(hk.descriptors, count * sizeof *grown);
  if (!grown) return -ENOMEM;
  memset(grown + hk.descriptor_count, 0, (count - hk.descriptor_count) * sizeof *grown);
  hk.descriptors = grown;
  hk.descriptor_count = count;
  return 0;
}

static long place_at(struct open_file *file, unsigned number, int close_on_exec) {
  long error = reserve(number);
  if (error < 0) return error;
  hk.descriptors[number].file = file;
  hk.descriptors[number].close_on_exec = close_on_exec;
  file->references++;
  return number;
}

/* The lowest free descriptor not below `lowest` becomes one for this file: its number, or -errno. */
long hk_install(struct open_file *file, unsigned lowest, int close_on_exec) {
  unsigned number = lowest;
  while (number < hk.descriptor_count && hk.descriptors[number].file) number++;
  return place_at(file, number, close_on_exec);
}

/* One reference less. */
void hk_drop_file(struct open_file *file) {
  if (--file->references > 0) return;
  hk_epoll_forget(file);
  file->inode->opens--;
  if (!(file->flags & O_PATH)) {
    hk_tell_file(file->inode, (file->flags & O_ACCMODE) == O_RDONLY ? NOTE_CLOSE_NOWRITE : NOTE_CLOSE_WRITE);
    if (file->inode->operations->closed) file->inode->operations->closed(file);
  }
  hk_release(file->inode);
  free(file);
}

/* The process closes a descriptor of it. */
static void leave(struct open_file *file) {
  if (file->inode->locks) hk_forget_locks(file);
  hk_drop_file(file);
}

long hk_close(long descriptor) {
  int call = hk_count_call(FAIL_CLOSE);
  struct open_file *file = hk_file(descriptor);
  if (!file) return -EBADF;
  if (hk_fails(FAIL_CLOSE, call)) return -EIO;
  hk.descriptors[homi_concretize((uint32_t)descriptor)].file = 0;
  leave(file);
  return 0;
}

long hk_close_range(unsigned long first, unsigned long last, long flags) {
  flags = hk_flags(flags, 6);
  if (flags < 0 || hk_decide((uint32_t)first > (uint32_t)last)) return -EINVAL;
  first = hk_below((uint32_t)first, hk.descriptor_count);
  last = hk_below((uint32_t)last, hk.descriptor_count);
  for (; first <= last && first < hk.descriptor_count; first++) {
    struct descriptor *descriptor = &hk.descriptors[first];
    if (flags & 4) {
      descriptor->close_on_exec = 1;
    } else if (descriptor->file) {
      struct open_file *file = descriptor->file;
      descriptor->file = 0;
      leave(file);
    }
  }
  return 0;
}

long hk_dup(long descriptor) {
  struct open_file *file = hk_file(descriptor);
  return file ? hk_install(file, 0, 0) : -EBADF;
}

static long move_to(long from, long to, int close_on_exec) {
  struct open_file *file = hk_file(from), *old;
  if (!file) return -EBADF;
  to = (long)hk_below((uint32_t)to, hk_descriptor_limit());
  if (to == hk_descriptor_limit()) return -EBADF;
  old = hk_file(to);
  long number = place_at(file, (unsigned)to, close_on_exec);
  if (old && number >= 0) leave(old);
  return number;
}

long hk_dup2(long from, long to) {
  if (hk_decide((uint32_t)from == (uint32_t)to)) return hk_file(from) ? (long)homi_concretize((uint32_t)to) : -EBADF;
  return move_to(from, to, 0);
}

long hk_dup3(long from, long to, long flags) {
  flags = hk_flags(flags, O_CLOEXEC);
  if (flags < 0 || hk_decide((uint32_t)from == (uint32_t)to)) return -EINVAL;
  return move_to(from, to, (flags & O_CLOEXEC) != 0);
}

long hk_fcntl(long descriptor, long command, long argument) {
  struct open_file *file = hk_file(descriptor);
  struct descriptor *slot;
  if (!file) return -EBADF;
  slot = &hk.descriptors[homi_concretize((uint32_t)descriptor)];
  if (hk_decide(((uint32_t)command > F_OFD_SETLKW) & ((uint32_t)command - F_GETLEASE > F_GET_SEALS - F_GETLEASE)))
    return -EINVAL;
  command = (long)homi_concretize((uint32_t)command);
  if ((file->flags & O_PATH) && command != F_DUPFD_CLOEXEC && command > F_GETFL) return -EBADF;
  switch (command) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC:
    argument = (long)hk_below((uint32_t)argument, hk_descriptor_limit());
    if (argument == hk_descriptor_limit()) return -EINVAL;
    return hk_install(file, (unsigned)argument, command == F_DUPFD_CLOEXEC);
  case F_GETFD: return slot->close_on_exec;
  case F_SETFD: slot->close_on_exec = (int)(argument & 1); return 0;
  case F_GETFL: return file->flags;
  case F_SETFL: {
    const int settable = O_APPEND | O_NONBLOCK;
    file->flags = (file->flags & ~settable) | (int)homi_concretize((unsigned)argument & settable);
    return 0;
  }
  case F_GETLK:
  case F_OFD_GETLK: return hk_get_lock(file, (void *)argument, command == F_OFD_GETLK);
  case F_SETLK:
  case F_SETLKW: return hk_set_lock(file, (void *)argument, 0, command == F_SETLKW);
  case F_OFD_SETLK:
  case F_OFD_SETLKW: return hk_set_lock(file, (void *)argument, 1, command == F_OFD_SETLKW);
  case F_ADD_SEALS: return hk_add_seals(file, argument);
  case F_GET_SEALS: return hk_get_seals(file);
  case F_SETOWN: file->owner = (int)homi_concretize((uint32_t)argument); return 0;
  case F_GETOWN: return file->owner;
  case F_SETSIG: return hk_decide((uint32_t)argument > SIGNAL_LIMIT) ? -EINVAL : 0;
  case F_GETSIG: return 0;
  case F_GETLEASE: return F_UNLCK;
  case F_SETPIPE_SZ: return hk_pipe_capacity(file, (uint32_t)argument);
  case F_GETPIPE_SZ: return hk_pipe_capacity(file, -1);
  default: return -EINVAL;
  }
}

/* A descriptor that must exist and for which nothing is to be done. */
long hk_exists(long descriptor) { return hk_file(descriptor) ? 0 : -EBADF; }

/* fsync, fdatasync. */
long hk_synchronise(long descriptor) {
  const struct open_file *file = hk_used_file(descriptor);
  if (!file) return -EBADF;
  return file->inode->operations->refuses_sync ? -EINVAL : 0;
}

/* posix_fadvise: checked, and nothing is to be done. */
long hk_advise(long descriptor, int64_t n, long advice) {
  enum { ADVICE_LAST = 5 };
  const struct open_file *file = hk_file(descriptor);
  if (!file) return -EBADF;
  if (file->inode->operations->refuses_sync) return -ESPIPE;
  return hk_decide((n < 0) | ((unsigned)advice > ADVICE_LAST)) ? -EINVAL : 0;
}
