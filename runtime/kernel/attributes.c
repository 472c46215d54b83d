/* Changing a file's mode, owner and times. Only the kernel's copy changes, never the host's file. */
#include "internal.h"

enum { UTIME_NOW = 0x3fffffff, UTIME_OMIT = 0x3ffffffe };

static int owns(const struct kernel_stat *stat) {
  long user = homi_host_id(1);
  return user == 0 || hk_decide(stat->st_uid == (uint32_t)user);
}

static long find(long directory, const char *path, long flags, struct inode **inode) {
  struct place place;
  long error = hk_walk(directory, path,
                       (flags & AT_SYMLINK_NOFOLLOW ? 0 : WALK_FOLLOW) | (flags & AT_EMPTY_PATH ? WALK_EMPTY : 0),
                       &place);
  *inode = place.inode;
  return error;
}

static long set_mode(struct inode *inode, long mode) {
  struct kernel_stat *stat = hk_stat_of(inode);
  if (!owns(stat)) return -EPERM;
  stat->st_mode = (stat->st_mode & ~07777u) | ((uint32_t)mode & 07777);
  stat->st_ctim = hk_now();
  hk_tell_file(inode, NOTE_ATTRIBUTES);
  return 0;
}

long hk_chmod(long directory, const char *path, long mode, long flags) {
  struct inode *inode;
  long error = find(directory, path, flags, &inode);
  if (error < 0) return error;
  if (inode->kind == INODE_LINK) return -EOPNOTSUPP;
  return set_mode(inode, mode);
}

long hk_fchmod(long descriptor, long mode) {
  struct open_file *file = hk_used_file(descriptor);
  return file ? set_mode(file->inode, mode) : -EBADF;
}

static long set_owner(struct inode *inode, long uid, long gid) {
  struct kernel_stat *stat = hk_stat_of(inode);
  int sets_user = hk_decide((int)uid != -1), sets_group = hk_decide((int)gid != -1);
  if (homi_host_id(1) != 0) {
    const uint32_t own_group = (uint32_t)homi_host_id(3);
    if (sets_user && hk_decide((uint32_t)uid != stat->st_uid)) return -EPERM;
    if (sets_group && hk_decide(((uint32_t)gid != stat->st_gid) & ((uint32_t)gid != own_group))) return -EPERM;
    if ((sets_user || sets_group) && !owns(stat)) return -EPERM;
  }
  if (sets_user) stat->st_uid = (uint32_t)uid;
  if (sets_group) stat->st_gid = (uint32_t)gid;
  if (hk_decide((stat->st_mode & 0111) != 0) && hk_is_regular(inode)) stat->st_mode &= ~(uint32_t)06000;
  stat->st_ctim = hk_now();
  hk_tell_file(inode, NOTE_ATTRIBUTES);
  return 0;
}

long hk_chown(long directory, const char *path, long uid, long gid, long flags) {
  struct inode *inode;
  long error = find(directory, path, flags, &inode);
  return error < 0 ? error : set_owner(inode, uid, gid);
}

long hk_fchown(long descriptor, long uid, long gid) {
  struct open_file *file = hk_used_file(descriptor);
  return file ? set_owner(file->inode, uid, gid) : -EBADF;
}

static long check_time(const struct kernel_time *time) {
  if (time->nanoseconds == UTIME_NOW || time->nanoseconds == UTIME_OMIT) return 0;
  return time->nanoseconds < 0 || time->nanoseconds > 999999999 ? -EINVAL : 0;
}

static void set_time(struct kernel_time *to, const struct kernel_time *wish, struct kernel_time now) {
  if (!wish || wish->nanoseconds == UTIME_NOW)
    *to = now;
  else if (wish->nanoseconds != UTIME_OMIT)
    *to = *wish;
}

static long set_times(struct inode *inode, const struct kernel_time *times) {
  struct kernel_stat *stat = hk_stat_of(inode);
  struct kernel_time now = hk_now();
  int only_now = !times || (times[0].nanoseconds == UTIME_NOW && times[1].nanoseconds == UTIME_NOW);
  if (times && (check_time(&times[0]) < 0 || check_time(&times[1]) < 0)) return -EINVAL;
  if (times && times[0].nanoseconds == UTIME_OMIT && times[1].nanoseconds == UTIME_OMIT) return 0;
  if (!owns(stat) && !(only_now && hk_allowed(inode, MAY_WRITE))) return only_now ? -EACCES : -EPERM;
  set_time(&stat->st_atim, times ? &times[0] : 0, now);
  set_time(&stat->st_mtim, times ? &times[1] : 0, now);
  stat->st_ctim = now;
  hk_tell_file(inode, NOTE_ATTRIBUTES);
  return 0;
}

/* A null path means the descriptor itself. */
long hk_utimens(long directory, const char *path, const struct kernel_time *times, long flags) {
  struct inode *inode;
  long error;
  if (!path) {
    struct open_file *file = hk_file(directory);
    return file ? set_times(file->inode, times) : -EBADF;
  }
  error = find(directory, path, flags, &inode);
  return error < 0 ? error : set_times(inode, times);
}

/* `times`: seconds and microseconds, twice. */
long hk_utimes(long directory, const char *path, const int64_t *times) {
  struct kernel_time both[2];
  if (!times) return hk_utimens(directory, path, 0, 0);
  if (times[1] < 0 || times[1] > 999999 || times[3] < 0 || times[3] > 999999) return -EINVAL;
  both[0].seconds = times[0];
  both[0].nanoseconds = times[1] * 1000;
  both[1].seconds = times[2];
  both[1].nanoseconds = times[3] * 1000;
  return hk_utimens(directory, path, both, 0);
}

long hk_utime(const char *path, const int64_t *times) {
  struct kernel_time both[2] = {{0, 0}, {0, 0}};
  if (!times) return hk_utimens(AT_FDCWD, path, 0, 0);
  both[0].seconds = times[0];
  both[1].seconds = times[1];
  return hk_utimens(AT_FDCWD, path, both, 0);
}

long hk_umask(long mask) {
  long old = hk.umask;
  hk.umask = (unsigned)mask & 0777;
  return old;
}
