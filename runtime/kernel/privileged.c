/* Privileged calls: setting clocks, mounting, swapping, naming the machine, ports. The modeled process has no such
 * privilege, not even as root (as in a container), so no call here changes anything; but arguments are checked in the order in
 * which Linux checks them, and a call that only reads returns its result. */
#include "internal.h"

enum { REALTIME_CLOCK = 0, SINGLESHOT = 0x8000, SINGLESHOT_READ = 0xa001, UNSYNCHRONISED = 0x40, TIME_ERROR = 5 };

static int is_root(void) { return homi_host_id(1) == 0; }

/* ---- clocks ---- */

/* `limit`: the parts of a second. */
static long refuse_time(const int64_t *time, int64_t limit) {
  if (hk_decide((time[0] < 0) | (time[1] < 0) | (time[1] >= limit))) return -EINVAL;
  return -EPERM;
}

/* Times: seconds and microseconds; minutes west and a rule for summers. */
long hk_settimeofday(const int64_t *time, const int32_t *zone) {
  if (time && hk_bad(time)) return -EFAULT;
  if (zone && hk_bad(zone)) return -EFAULT;
  if (time) return refuse_time(time, 1000000);
  return is_root() && !zone ? 0 : -EPERM;
}

long hk_clock_settime(long clock, const int64_t *time) {
  if (hk_decide((int)clock != REALTIME_CLOCK)) return -EINVAL;
  return hk_bad(time) ? -EFAULT : refuse_time(time, 1000000000);
}

/* struct timex, 208 bytes, of a clock that no process adjusts. */
long hk_adjust(unsigned char *timex) {
  enum { MODES = 0, STATUS = 40, PRECISION = 56, TOLERANCE = 64, TIME = 72, TICK = 88 };
  const int32_t unsynchronised = UNSYNCHRONISED;
  const int64_t precision = 1, tolerance = 32768000, tick = 10000;
  struct kernel_time now;
  uint32_t modes;
  if (hk_bad(timex)) return -EFAULT;
  memcpy(&modes, timex + MODES, sizeof modes);
  modes = (uint32_t)homi_concretize(modes);
  if ((modes & SINGLESHOT) && !(modes & 1)) return -EINVAL;
  if (modes != 0 && modes != SINGLESHOT_READ) return -EPERM;
  memset(timex, 0, 208);
  memcpy(timex + MODES, &modes, sizeof modes);
  memcpy(timex + STATUS, &unsynchronised, sizeof unsynchronised);
  memcpy(timex + PRECISION, &precision, sizeof precision);
  memcpy(timex + TOLERANCE, &tolerance, sizeof tolerance);
  memcpy(timex + TICK, &tick, sizeof tick);
  now = hk_now();
  now.nanoseconds /= 1000;
  memcpy(timex + TIME, &now, sizeof now);
  return TIME_ERROR;
}

long hk_adjust_clock(long clock, unsigned char *timex) {
  clock = hk_int(clock, REALTIME_CLOCK, 11);
  if (clock == REALTIME_CLOCK) return hk_adjust(timex);
  if (hk_bad(timex)) return -EFAULT;
  return clock > REALTIME_CLOCK && clock < 12 ? -EOPNOTSUPP : -EINVAL;
}

/* ---- file systems ---- */

/* Text that Linux copies before anything else. */
static int is_bad_text(const char *text) { return text && hk_bad(text); }

static long refuse_at(const char *path, long error) {
  struct place place;
  long missing = hk_walk(AT_FDCWD, path, WALK_FOLLOW, &place);
  return missing < 0 ? missing : error;
}

long hk_mount(const char *source, const char *target, const char *type) {
  if (is_bad_text(type) || is_bad_text(source)) return -EFAULT;
  return refuse_at(target, -EPERM);
}

/* Nothing in the tree is the root of a mounted file system of its own. */
long hk_unmount(const char *target, long flags) {
  if (hk_decide(((unsigned)flags & ~15u) != 0)) return -EINVAL;
  return refuse_at(target, is_root() ? -EINVAL : -EPERM);
}

long hk_pivot_root(const char *to, const char *old) {
  struct place place;
  long error;
  if (!is_root()) return -EPERM;
  error = hk_walk(AT_FDCWD, to, WALK_FOLLOW, &place);
  if (error < 0) return error;
  if (place.inode->kind != INODE_DIRECTORY) return -ENOTDIR;
  error = hk_walk(AT_FDCWD, old, WALK_FOLLOW, &place);
  if (error < 0) return error;
  return place.inode->kind != INODE_DIRECTORY ? -ENOTDIR : -EBUSY; /* one file system */
}

long hk_swapon(const char *path, long flags) {
  if (hk_decide(((unsigned)flags & ~0x7ffffu) != 0)) return -EINVAL;
  if (!is_root()) return -EPERM;
  return refuse_at(path, -EPERM);
}

long hk_swapoff(const char *path) { return is_root() ? refuse_at(path, -EINVAL) : -EPERM; }

/* ---- the machine ---- */

long hk_reboot(long magic, long second) {
  if (!is_root()) return -EPERM;
  if ((uint32_t)magic != 0xfee1dead) return -EINVAL;
  switch ((uint32_t)second) {
  case 672274793: case 85072278: case 369367448: case 537993216: return -EPERM;
  default: return -EINVAL;
  }
}

long hk_name_machine(const char *name, long length) {
  if (!is_root()) return -EPERM;
  if (hk_decide((uint32_t)length > 64)) return -EINVAL;
  return hk_bad(name) && hk_decide((int)length != 0) ? -EFAULT : -EPERM;
}

long hk_ioperm(unsigned long from, unsigned long count, long on) {
  if (hk_decide((from + count <= from) | (from + count > 65536))) return -EINVAL;
  return hk_decide((int)on != 0) ? -EPERM : 0;
}

long hk_iopl(unsigned long level) {
  level = hk_below((uint32_t)level, 4);
  return level > 3 ? -EINVAL : level == 0 ? 0 : -EPERM;
}

/* ---- capabilities: none ---- */

/* struct __user_cap_header_struct: a version and a process; the data are three words, once or twice. */
long hk_capabilities(uint32_t *header, uint32_t *data, int sets) {
  enum { FIRST = 0x19980330, SECOND_VERSION = 0x20071026, THIRD = 0x20080522 };
  unsigned words;
  if (hk_bad(header)) return -EFAULT;
  switch (homi_concretize(header[0])) {
  case FIRST: words = 3; break;
  case SECOND_VERSION: case THIRD: words = 6; break;
  default:
    header[0] = THIRD;
    return !sets && !data ? 0 : -EINVAL;
  }
  if ((int32_t)header[1] < 0) return sets ? -EPERM : -EINVAL;
  if (header[1] != 0 && header[1] != (uint32_t)hk.process) return sets ? -EPERM : -ESRCH;
  if (!sets && !data) return 0;
  if (hk_bad(data)) return -EFAULT;
  if (!sets) {
    memset(data, 0, words * sizeof *data);
    return 0;
  }
  /* Effective, permitted, inheritable: only what is permitted may be had. */
  for (unsigned i = 0; i < words; i++)
    if (hk_decide(data[i] != 0)) return -EPERM;
  return 0;
}
