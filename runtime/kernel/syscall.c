/* The kernel's door: x86-64 Linux system call numbers to functions. libc calls `__homi_syscall` with the
 * number and six words and gets a value or -errno. A number without a line here ends the path as a gap
 * that names it. */
#include "internal.h"

#define TEXT(a) ((const char *)(a))
#define AS(type, a) ((type)(a))

static long unknown(long number) {
  char text[] = "syscall 0000000000";
  int i = 8, digits = 1;
  long rest;
  for (rest = number; rest >= 10 && digits < 10; rest /= 10) digits++;
  text[i + digits] = 0;
  while (digits-- > 0) {
    text[i + digits] = (char)('0' + number % 10);
    number /= 10;
  }
  homi_gap(text);
}

/* preadv2 and pwritev2: offset -1 is the file's own. */
static long readv_at(long fd, const void *vector, long count, int64_t offset) {
  return offset == -1 ? hk_readv(fd, vector, count) : hk_preadv(fd, vector, count, offset);
}

static long writev_at(long fd, const void *vector, long count, int64_t offset) {
  return offset == -1 ? hk_writev(fd, vector, count) : hk_pwritev(fd, vector, count, offset);
}

/* A descriptor that must exist and for which nothing is to be done. */
static long exists(long fd) { return hk_file(fd) ? 0 : -EBADF; }

/* fsync, fdatasync. */
static long synchronise(long fd) {
  const struct open_file *file = hk_file(fd);
  if (!file) return -EBADF;
  return file->inode->kind == INODE_PIPE || file->inode->kind >= INODE_EVENT ? -EINVAL : 0;
}

static long poll_timeout(long milliseconds) {
  return hk_decide((int)milliseconds < 0) ? -1 : (int64_t)(int)milliseconds * 1000000;
}

static long process_call(long number, long a1, long a2, long a3, long a4, long a5) {
  switch (number) {
  case 56: case 57: case 58: case 435: return hk_fork(number, (unsigned long)a1, (uint64_t)a2);
  case 59: return hk_execute(AT_FDCWD, TEXT(a1), 0);
  case 322: return hk_execute(a1, TEXT(a2), a5);
  case 61: case 247: return hk_wait_call(number, a1, a2, a3, a4, AS(void *, number == 61 ? a4 : a5));
  case 39: return hk.process;
  case 186: return hk_thread_id();
  case 110: return hk.parent;
  case 111: case 121: return hk.group;                      /* getpgrp getpgid */
  case 124: return hk.session;                              /* getsid */
  case 109: return hk_setpgid(a1, a2);
  case 112: return hk_setsid();
  case 218: return hk_set_tid_address(AS(int *, a1));
  case 202: return hk_futex(AS(int *, a1), a2, a3, AS(void *, a4), AS(int *, a5));
  case 102: return homi_host_id(0);
  case 107: return homi_host_id(1);
  case 104: return homi_host_id(2);
  case 108: return homi_host_id(3);
  case 105: case 113: case 117: case 122: return hk_set_id(a1, number == 122 ? 1 : 0);
  case 106: case 114: case 119: case 123: return hk_set_id(a1, number == 123 ? 3 : 2);
  case 118: return hk_get_ids(AS(uint32_t *, a1), AS(uint32_t *, a2), AS(uint32_t *, a3), 0);
  case 120: return hk_get_ids(AS(uint32_t *, a1), AS(uint32_t *, a2), AS(uint32_t *, a3), 2);
  case 115: return 0;                                       /* getgroups: none */
  case 116: return homi_host_id(1) == 0 ? 0 : -EPERM;       /* setgroups */
  case 140: return 20;                                      /* getpriority: nice 0 */
  case 141: return 0;
  case 157: return hk_prctl(a1, AS(char *, a2));
  case 135: case 158: return 0;                             /* personality arch_prctl */
  case 24: return hk_yield(), 0;                            /* sched_yield */
  case 273: case 274: case 334: return number == 334 ? -ENOSYS : 0;
  case 60: hk_end_thread(a1); return 0;
  case 231: homi_exit((int)(a1 & 0xff));
  default: return unknown(number);
  }
}

static long signal_call(long number, long a1, long a2, long a3, long a4, long a5) {
  switch (number) {
  case 13: return hk_sigaction(a1, AS(void *, a2), AS(void *, a3), (uint64_t)a4);
  case 14: return hk_sigprocmask(a1, AS(uint64_t *, a2), AS(uint64_t *, a3), (uint64_t)a4);
  case 62: return hk_kill(a1, a2);
  case 200: return hk_kill_thread(hk.process, a1, a2);
  case 234: return hk_kill_thread(a1, a2, a3);
  case 127: return hk_sigpending(AS(uint64_t *, a1));
  case 128: return hk_sigtimedwait(AS(uint64_t *, a1), AS(void *, a2), AS(struct kernel_time *, a3));
  case 129: return hk_queue_signal(a1, a2, AS(int32_t *, a3));
  case 130: return hk_sigsuspend(AS(uint64_t *, a1));
  case 131: return hk_sigaltstack(AS(void *, a1), AS(void *, a2));
  case 34: return hk_pause();
  case 35: return hk_nanosleep(AS(struct kernel_time *, a1), AS(struct kernel_time *, a2), 0);
  case 230: return hk_nanosleep(AS(struct kernel_time *, a3), AS(struct kernel_time *, a4), (int)(a2 & 1));
  case 36: return hk_getitimer(a1, AS(int64_t *, a2));
  case 37: return hk_alarm((unsigned long)a1);
  case 38: return hk_setitimer(a1, AS(int64_t *, a2), AS(int64_t *, a3));
  case 96: return hk_gettimeofday(AS(int64_t *, a1), AS(int32_t *, a2));
  case 100: return hk_times(AS(int64_t *, a1));
  case 201: return hk_time(AS(int64_t *, a1));
  case 228: return hk_clock_gettime(a1, AS(struct kernel_time *, a2));
  case 229: return hk_clock_getres(a1, AS(struct kernel_time *, a2));
  default: return process_call(number, a1, a2, a3, a4, a5);
  }
}

/* What waits without a file: descriptors of events, timers, queues and semaphores. */
static long event_call(long number, long a1, long a2, long a3, long a4, long a5) {
  switch (number) {
  case 284: return hk_eventfd((uint64_t)a1, 0);
  case 290: return hk_eventfd((uint64_t)a1, a2);
  case 283: return hk_timerfd_create(a1, a2);
  case 286: return hk_timerfd_settime(a1, a2, AS(void *, a3), AS(void *, a4));
  case 287: return hk_timerfd_gettime(a1, AS(void *, a2));
  case 282: return hk_signalfd(a1, AS(uint64_t *, a2), (uint64_t)a3, 0);
  case 289: return hk_signalfd(a1, AS(uint64_t *, a2), (uint64_t)a3, a4);
  case 213: return a1 > 0 ? hk_epoll_create(0) : -EINVAL;
  case 291: return hk_epoll_create(a1);
  case 233: return hk_epoll_ctl(a1, a2, a3, AS(void *, a4));
  case 232: return hk_epoll_wait(a1, AS(void *, a2), a3, poll_timeout(a4), 0);
  case 281: return hk_epoll_wait(a1, AS(void *, a2), a3, poll_timeout(a4), AS(uint64_t *, a5));
  case 441: return hk_epoll_wait(a1, AS(void *, a2), a3, hk_timeout_of(AS(int64_t *, a4), 1000000000), AS(uint64_t *, a5));
  case 222: case 223: case 224: case 225: case 226: return hk_timer_call(number, a1, a2, a3, a4);
  case 240: case 241: case 242: case 243: case 244: case 245: return hk_queue_call(number, a1, a2, a3, a4, a5);
  case 29: case 30: case 31: case 64: case 65: case 66: case 67: case 68: case 69: case 70: case 71: case 220:
    return hk_ipc_call(number, a1, a2, a3, a4, a5);
  default: return signal_call(number, a1, a2, a3, a4, a5);
  }
}

static long system_call(long number, long a1, long a2, long a3, long a4, long a5, long a6) {
  switch (number) {
  case 9: return hk_mmap((unsigned long)a1, (uint64_t)a2, a3, a4, a5, a6);
  case 10: return hk_mprotect((unsigned long)a1, (uint64_t)a2, a3);
  case 11: return hk_munmap((unsigned long)a1, (uint64_t)a2);
  case 12: return hk_brk((unsigned long)a1);
  case 25: return hk_mremap((unsigned long)a1, (uint64_t)a2, (uint64_t)a3, a4, (unsigned long)a5);
  case 26: return hk_msync((unsigned long)a1, (uint64_t)a2, a3);
  case 28: return hk_madvise((unsigned long)a1, (uint64_t)a2, a3);
  case 149: case 150: case 152: case 325: return 0;         /* the mlock family */
  case 151: return a1 == 0 || (a1 & ~7L) ? -EINVAL : 0;     /* mlockall */
  case 216: return -EINVAL;                                 /* remap_file_pages */
  case 7: return hk_poll(AS(void *, a1), (unsigned long)a2, poll_timeout(a3), 0);
  case 271: return hk_poll(AS(void *, a1), (unsigned long)a2, hk_timeout_of(AS(int64_t *, a3), 1000000000), AS(uint64_t *, a4));
  case 23: return hk_select(a1, AS(void *, a2), AS(void *, a3), AS(void *, a4), hk_timeout_of(AS(int64_t *, a5), 1000000), 0);
  case 270:
    return hk_select(a1, AS(void *, a2), AS(void *, a3), AS(void *, a4), hk_timeout_of(AS(int64_t *, a5), 1000000000),
                     a6 ? *AS(uint64_t **, a6) : 0);
  case 63: return hk_uname(AS(char *, a1));
  case 97: return hk_rlimit(a1, 0, AS(uint64_t *, a2));
  case 160: return hk_rlimit(a1, AS(uint64_t *, a2), 0);
  case 302: return hk_rlimit(a2, AS(uint64_t *, a3), AS(uint64_t *, a4));
  case 98: return hk_getrusage(a1, AS(void *, a2));
  case 99: return hk_sysinfo(AS(unsigned char *, a1));
  case 203: return 0;                                       /* sched_setaffinity */
  case 204: return hk_affinity((uint64_t)a2, AS(unsigned char *, a3));
  case 309: return hk_getcpu(AS(uint32_t *, a1), AS(uint32_t *, a2));
  case 318: return hk_getrandom(AS(unsigned char *, a1), (uint64_t)a2, a3);
  case 41: case 42: case 43: case 44: case 45: case 46: case 47: case 48: case 49: case 50: case 51: case 52: case 53:
  case 54: case 55: case 288: case 299: case 307: return hk_socket_call(number, a1, a2, a3, a4, a5, a6);
  case 253: return hk_inotify_init(0);
  case 294: return hk_inotify_init(a1);
  case 254: return hk_inotify_add_watch(a1, TEXT(a2), a3);
  case 255: return hk_inotify_rm_watch(a1, a2);
  case 425: case 248: case 250: case 324: case 437: case 434: case 317: case 27: case 179: case 444:
  case 206: case 207: case 208: case 209: case 210: case 333: case 426: case 427: case 237: case 238: case 239: case 256: case 279:
  case 450: case 312: case 323: case 330: case 331: case 303: case 304: case 300: case 301: case 310: case 311: case 445: case 446:
  case 447: case 424: case 438: case 154: case 246: case 320: case 249:
    return -ENOSYS; /* io_uring keys membarrier openat2 pidfd seccomp mincore quotactl landlock aio NUMA kcmp userfaultfd
                       protection keys file handles fanotify other processes' memory ldt kexec: as a kernel built without them */
  case 134: case 139: case 156: case 174: case 177: case 178: case 180: case 181: case 182: case 183: case 184: case 185: case 205:
  case 211: case 212: case 214: case 215: case 236: return -ENOSYS; /* numbers whose calls Linux no longer has, or never had */
  case 142: case 143: case 144: case 145: case 146: case 147: case 148: return hk_scheduling(number, a1, a2, AS(int32_t *, a3));
  case 251: return hk_priority_of_io(a1, a3);
  case 252: return hk_priority_of_io(a1, 0);
  case 103: case 163: case 175: case 176: case 321: case 298: case 313: case 428: case 429: case 430: case 431: case 432:
  case 433: case 442: return -EPERM;                        /* syslog acct modules bpf perf, mounts by descriptor */
  case 161: return hk_chroot(TEXT(a1));
  case 125: case 126: case 153: case 155: case 159: case 164: case 165: case 166: case 167: case 168: case 169: case 170: case 171:
  case 172: case 173: case 227: case 305: return hk_privileged_call(number, a1, a2, a3);
  default: return event_call(number, a1, a2, a3, a4, a5);
  }
}

/* Names and attributes of files. */
static long name_call(long number, long a1, long a2, long a3, long a4, long a5, long a6) {
  const long cwd = AT_FDCWD;
  switch (number) {
  case 21: return hk_access(cwd, TEXT(a1), a2, 0);
  case 269: return hk_access(a1, TEXT(a2), a3, 0);
  case 439: return hk_access(a1, TEXT(a2), a3, a4);
  case 79: return hk_getcwd(AS(char *, a1), (uint64_t)a2);
  case 80: return hk_chdir(TEXT(a1));
  case 81: return hk_fchdir(a1);
  case 82: return hk_rename(cwd, TEXT(a1), cwd, TEXT(a2), 0);
  case 264: return hk_rename(a1, TEXT(a2), a3, TEXT(a4), 0);
  case 316: return hk_rename(a1, TEXT(a2), a3, TEXT(a4), a5);
  case 83: return hk_mkdir(cwd, TEXT(a1), a2);
  case 258: return hk_mkdir(a1, TEXT(a2), a3);
  case 84: return hk_unlink(cwd, TEXT(a1), AT_REMOVEDIR);
  case 87: return hk_unlink(cwd, TEXT(a1), 0);
  case 263: return hk_unlink(a1, TEXT(a2), a3);
  case 86: return hk_link(cwd, TEXT(a1), cwd, TEXT(a2), 0);
  case 265: return hk_link(a1, TEXT(a2), a3, TEXT(a4), a5);
  case 88: return hk_symlink(TEXT(a1), cwd, TEXT(a2));
  case 266: return hk_symlink(TEXT(a1), a2, TEXT(a3));
  case 89: return hk_readlink(cwd, TEXT(a1), AS(char *, a2), a3);
  case 267: return hk_readlink(a1, TEXT(a2), AS(char *, a3), a4);
  case 90: return hk_chmod(cwd, TEXT(a1), a2, 0);
  case 91: return hk_fchmod(a1, a2);
  case 268: return hk_chmod(a1, TEXT(a2), a3, 0);
  case 452: return hk_chmod(a1, TEXT(a2), a3, a4);
  case 92: return hk_chown(cwd, TEXT(a1), a2, a3, 0);
  case 93: return hk_fchown(a1, a2, a3);
  case 94: return hk_chown(cwd, TEXT(a1), a2, a3, AT_SYMLINK_NOFOLLOW);
  case 260: return hk_chown(a1, TEXT(a2), a3, a4, a5);
  case 95: return hk_umask(a1);
  case 132: return hk_utime(TEXT(a1), AS(int64_t *, a2));
  case 235: return hk_utimes(cwd, TEXT(a1), AS(int64_t *, a2));
  case 261: return hk_utimes(a1, TEXT(a2), AS(int64_t *, a3));
  case 280: return hk_utimens(a1, TEXT(a2), AS(struct kernel_time *, a3), a4);
  case 133: return hk_mknod(cwd, TEXT(a1), a2, a3);
  case 259: return hk_mknod(a1, TEXT(a2), a3, a4);
  case 137: return hk_statfs(TEXT(a1), AS(void *, a2));
  case 138: return hk_fstatfs(a1, AS(void *, a2));
  case 188: case 189: case 190: case 191: case 192: case 193: case 194: case 195: case 196: case 197: case 198: case 199:
    return hk_attribute_call(number, a1, TEXT(a2), AS(void *, a3), (uint64_t)a4, a5);
  default: return system_call(number, a1, a2, a3, a4, a5, a6);
  }
}

/* Descriptors and data: the calls that programs make most come first. */
long __homi_syscall(long number, long a1, long a2, long a3, long a4, long a5, long a6) {
  const long cwd = AT_FDCWD;
  switch (number) {
  case 0: return hk_read(a1, AS(void *, a2), (uint64_t)a3);
  case 1: return hk_write(a1, AS(void *, a2), (uint64_t)a3);
  case 2: return hk_open(cwd, TEXT(a1), a2, a3);
  case 85: return hk_open(cwd, TEXT(a1), O_CREAT | O_WRONLY | O_TRUNC, a2);
  case 257: return hk_open(a1, TEXT(a2), a3, a4);
  case 3: return hk_close(a1);
  case 319: return hk_memfd(a2);
  case 436: return hk_close_range((unsigned long)a1, (unsigned long)a2, a3);
  case 4: return hk_stat(cwd, TEXT(a1), AS(struct kernel_stat *, a2), 0);
  case 5: return hk_fstat(a1, AS(struct kernel_stat *, a2));
  case 6: return hk_stat(cwd, TEXT(a1), AS(struct kernel_stat *, a2), AT_SYMLINK_NOFOLLOW);
  case 262: return hk_stat(a1, TEXT(a2), AS(struct kernel_stat *, a3), a4);
  case 332: return hk_statx(a1, TEXT(a2), a3, a4, AS(unsigned char *, a5));
  case 8: return hk_lseek(a1, a2, a3);
  case 16: return hk_ioctl(a1, (unsigned long)a2, AS(void *, a3));
  case 17: return hk_pread(a1, AS(void *, a2), (uint64_t)a3, a4);
  case 18: return hk_pwrite(a1, AS(void *, a2), (uint64_t)a3, a4);
  case 19: return hk_readv(a1, AS(void *, a2), a3);
  case 20: return hk_writev(a1, AS(void *, a2), a3);
  case 295: return hk_preadv(a1, AS(void *, a2), a3, a4);
  case 296: return hk_pwritev(a1, AS(void *, a2), a3, a4);
  case 327: return readv_at(a1, AS(void *, a2), a3, a4);
  case 328: return writev_at(a1, AS(void *, a2), a3, a4);
  case 22: return hk_pipe(AS(int *, a1), 0);
  case 293: return hk_pipe(AS(int *, a1), a2);
  case 32: return hk_dup(a1);
  case 33: return hk_dup2(a1, a2);
  case 292: return hk_dup3(a1, a2, a3);
  case 72: return hk_fcntl(a1, a2, a3);
  case 40: return hk_copy(a2, AS(int64_t *, a3), a1, 0, (uint64_t)a4, 0);
  case 326: return hk_copy(a1, AS(int64_t *, a2), a3, AS(int64_t *, a4), (uint64_t)a5, 1);
  case 275: case 276: case 278: return -EINVAL;             /* splice tee vmsplice: programs fall back to read */
  case 74: case 75: return synchronise(a1);
  case 73: case 221: case 277: case 306: case 187: return exists(a1);
  case 162: return 0;                                       /* sync */
  case 76: return hk_truncate(TEXT(a1), a2);
  case 77: return hk_ftruncate(a1, a2);
  case 285: return hk_fallocate(a1, a2, a3, a4);
  case 217: return hk_getdents64(a1, AS(unsigned char *, a2), (uint64_t)a3);
  default: return name_call(number, a1, a2, a3, a4, a5, a6);
  }
}
