// What only an administrator may do, called so that nothing changes even for one: arguments that are refused before, after or
// instead of the question whether the caller may. A sandbox that filters calls (EPERM, whatever the arguments) and a kernel that
// lacks a late one (ENOSYS) make no difference.
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static int filtered, administrator;

/* `or`: what a caller without the privilege may get instead. */
static void refused(const char *what, long result, int expected, int or) {
  const int error = errno;
  if (result == -1 && (error == expected || (or && !administrator && error == or) || (filtered && error == EPERM)))
    printf("%s: refused, %d\n", what, expected);
  else
    printf("%s: %ld, errno %d\n", what, result, result == -1 ? error : 0);
}
#define REFUSED(expression, error) (errno = 0, refused(#expression, (expression), error, 0))
#define ONLY_ROOT(expression, error) (errno = 0, refused(#expression, (expression), error, EPERM))
/* Kernels may be built without these. */
#define OPTIONAL(expression, expected) (errno = 0, (expression) == -1 && errno == ENOSYS ? (void)printf("%s: refused, %d\n", #expression, expected) : REFUSED(expression, expected))
static void *const nowhere = (void *)8;

static void clocks(void) {
  struct timespec time = {0, -1}, large = {0, 1000000000}, past = {-1, 0}, fine = {5, 0};
  struct timeval micro = {0, 2000000}, before = {-1, 0}, negative = {3, -1};
  REFUSED(syscall(SYS_clock_settime, CLOCK_REALTIME, nowhere), EFAULT), REFUSED(syscall(SYS_clock_settime, CLOCK_REALTIME, NULL), EFAULT);
  REFUSED(clock_settime(CLOCK_REALTIME, &time), EINVAL), REFUSED(clock_settime(CLOCK_REALTIME, &large), EINVAL), REFUSED(clock_settime(CLOCK_REALTIME, &past), EINVAL);
  REFUSED(clock_settime(CLOCK_MONOTONIC, &fine), EINVAL), REFUSED(clock_settime(CLOCK_BOOTTIME, &fine), EINVAL), REFUSED(clock_settime(99, &fine), EINVAL);
  REFUSED(settimeofday(&micro, NULL), EINVAL), REFUSED(syscall(SYS_settimeofday, &micro, NULL), EINVAL), REFUSED(syscall(SYS_settimeofday, nowhere, NULL), EFAULT);
  REFUSED(syscall(SYS_settimeofday, &before, NULL), EINVAL), REFUSED(syscall(SYS_settimeofday, &negative, NULL), EINVAL), REFUSED(syscall(SYS_settimeofday, NULL, nowhere), EFAULT);
  struct timex asked = {0};
  const int state = adjtimex(&asked);
  SHOW(state >= TIME_OK && state <= TIME_ERROR), SHOW(asked.tick > 0), SHOW(asked.time.tv_sec > 1000000000), SHOW(asked.modes);
  asked.modes = 0x8000, REFUSED(adjtimex(&asked), EINVAL), REFUSED(syscall(SYS_adjtimex, NULL), EFAULT), REFUSED(syscall(SYS_adjtimex, nowhere), EFAULT);
  asked.modes = 0, SHOW(clock_adjtime(CLOCK_REALTIME, &asked) >= 0), REFUSED(clock_adjtime(CLOCK_MONOTONIC, &asked), EOPNOTSUPP), REFUSED(clock_adjtime(99, &asked), EINVAL);
  struct timeval left = {-1, -1};
  CALL(adjtime(NULL, &left)), SHOW(left.tv_usec != -1);
}

static void mounts(void) {
  REFUSED(mount("none", "no-such-directory", "tmpfs", 0, NULL), ENOENT), REFUSED(mount("none", "host.txt/x", "tmpfs", 0, NULL), ENOTDIR);
  REFUSED(syscall(SYS_mount, "none", "sub", nowhere, 0, NULL), EFAULT), REFUSED(syscall(SYS_mount, nowhere, "sub", "tmpfs", 0, NULL), EFAULT), REFUSED(syscall(SYS_mount, "none", NULL, "tmpfs", 0, NULL), EFAULT);
  REFUSED(umount("no-such-directory"), ENOENT), REFUSED(umount2("sub", 0x1000), EINVAL), REFUSED(umount2("loop", 0), ELOOP), REFUSED(syscall(SYS_umount2, NULL, 0), EFAULT), ONLY_ROOT(umount("sub"), EINVAL);
  ONLY_ROOT(syscall(SYS_pivot_root, "no-such-directory", "sub"), ENOENT), ONLY_ROOT(syscall(SYS_pivot_root, "host.txt", "sub"), ENOTDIR), ONLY_ROOT(syscall(SYS_pivot_root, "sub", "none"), ENOENT), ONLY_ROOT(syscall(SYS_pivot_root, NULL, NULL), EFAULT);
  REFUSED(chroot("no-such-directory"), ENOENT), REFUSED(chroot("host.txt"), ENOTDIR), REFUSED(syscall(SYS_chroot, NULL), EFAULT), REFUSED(chroot(""), ENOENT);
  REFUSED(syscall(SYS_swapon, "no-such-file", 1 << 30), EINVAL), ONLY_ROOT(syscall(SYS_swapon, "no-such-file", 0), ENOENT), ONLY_ROOT(syscall(SYS_swapon, NULL, 0), EFAULT), ONLY_ROOT(syscall(SYS_swapoff, "no-such-file"), ENOENT), ONLY_ROOT(syscall(SYS_swapoff, "host.txt"), EINVAL);
}

static void machine(void) {
  char name[70] = "name";
  ONLY_ROOT(syscall(SYS_reboot, 0, 0, 0, NULL), EINVAL), ONLY_ROOT(syscall(SYS_reboot, 0xfee1dead, 7, 0, NULL), EINVAL);
  ONLY_ROOT(sethostname(name, -1), EINVAL), ONLY_ROOT(sethostname(name, 65), EINVAL), ONLY_ROOT(syscall(SYS_sethostname, NULL, 4), EFAULT);
  ONLY_ROOT(setdomainname(name, -1), EINVAL), ONLY_ROOT(setdomainname(name, 65), EINVAL), ONLY_ROOT(syscall(SYS_setdomainname, nowhere, 4), EFAULT);
  OPTIONAL(ioperm(0, 0, 0), EINVAL), OPTIONAL(ioperm(65535, 2, 1), EINVAL), OPTIONAL(iopl(4), EINVAL);
  /* For an administrator it would hang up the terminal. */
  if (administrator) printf("vhangup\n");
  else printf("vhangup%s\n", vhangup() == -1 && errno == EPERM ? "" : "?");
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{1, 1, 1}, {1, 1, 1}};
  CALL(syscall(SYS_capget, &header, data)), SHOW((data[0].effective & ~data[0].permitted) == 0), REFUSED(syscall(SYS_capget, NULL, data), EFAULT), REFUSED(syscall(SYS_capget, &header, nowhere), EFAULT);
  header.version = 5, REFUSED(syscall(SYS_capget, &header, data), EINVAL), SHOW(header.version == _LINUX_CAPABILITY_VERSION_3), header.version = 5, CALL(syscall(SYS_capget, &header, NULL));
  header.pid = -1, REFUSED(syscall(SYS_capget, &header, data), EINVAL), header.pid = 1 << 30, REFUSED(syscall(SYS_capget, &header, data), ESRCH), REFUSED(syscall(SYS_capset, &header, data), EPERM);
}

/* Combinations of flags that make no process. */
static void processes(void) {
  uint64_t arguments[11] = {CLONE_THREAD};
  REFUSED(syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0), EINVAL), REFUSED(syscall(SYS_clone, CLONE_SIGHAND, 0, 0, 0, 0), EINVAL), REFUSED(syscall(SYS_clone, CLONE_NEWNS | CLONE_FS, 0, 0, 0, 0), EINVAL);
  const long given = syscall(SYS_clone3, arguments, sizeof arguments);
  if (given == -1 && errno == ENOSYS) filtered = 2; /* container managers answer so, whatever the arguments */
  if (filtered == 2) printf("clone3\n");
  else printf("clone3%s\n", given == -1 && errno == EINVAL && syscall(SYS_clone3, NULL, 64) == -1 && errno == EFAULT && syscall(SYS_clone3, arguments, 63) == -1 && errno == EINVAL && syscall(SYS_clone3, arguments, 5000) == -1 && errno == E2BIG ? "" : "?");
}

static void others(void) {
  struct stat info;
  SHOW(syscall(SYS_ioprio_get, 1, 0) >= 0), REFUSED(syscall(SYS_ioprio_get, 9, 0), EINVAL), REFUSED(syscall(SYS_ioprio_set, 9, 0, 0), EINVAL), REFUSED(syscall(SYS_ioprio_set, 1, 0, 7 << 13), EINVAL);
  /* Numbers without a call behind them. */
  REFUSED(syscall(SYS_create_module), ENOSYS), REFUSED(syscall(SYS_afs_syscall), ENOSYS), REFUSED(syscall(SYS_security), ENOSYS), REFUSED(syscall(SYS_vserver), ENOSYS);
  close(open("moded", O_CREAT | O_WRONLY, 0600));
  if (syscall(452, AT_FDCWD, "moded", 0640, 0) == -1 && errno == ENOSYS) chmod("moded", 0640);
  stat("moded", &info), SHOW(info.st_mode & 0777), SHOW(syscall(452, AT_FDCWD, "none", 0640, 0));
  struct epoll_event event = {EPOLLIN};
  struct timespec none = {0, 0};
  int set = epoll_create1(0), ends[2];
  pipe(ends), epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
  SHOW(syscall(441, set, &event, 1, &none, NULL, 0) <= 0), write(ends[1], "x", 1);
  const long n = syscall(441, set, &event, 1, &none, NULL, 8);
  SHOW(n == -1 && errno == ENOSYS ? 1 : n);
}

int main(void) {
  administrator = geteuid() == 0;
  filtered = umount2("no-such-directory", 0) == -1 && errno == EPERM;
  clocks(), mounts(), machine(), processes(), others();
  return 0;
}
