/* ioctl. No concrete descriptor is a terminal; a symbolic file is one on the paths on which its symbolic
 * stat says that it is a character device. */
#include "internal.h"

enum { TCGETS = 0x5401, TCSETS = 0x5402, TCSETSW = 0x5403, TCSETSF = 0x5404, TIOCGPGRP = 0x540f, TIOCGWINSZ = 0x5413,
       TIOCSWINSZ = 0x5414, FIONREAD = 0x541b, FIONBIO = 0x5421, FIOCLEX = 0x5451, FIONCLEX = 0x5450,
       FIOASYNC = 0x5452 };

/* The 36 bytes of the kernel's termios: a terminal at 38400 baud in its usual cooked mode. */
static long get_terminal(unsigned char *to) {
  static const uint32_t flags[4] = {0x4500, 5, 0xbf, 0x8a3b};
  static const unsigned char characters[19] = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0};
  if (hk_bad(to)) return -EFAULT;
  memcpy(to, flags, 16);
  to[16] = 0;
  memcpy(to + 17, characters, 19);
  return 0;
}

static long get_window(uint16_t *to) {
  if (hk_bad(to)) return -EFAULT;
  to[0] = 24;
  to[1] = 80;
  to[2] = to[3] = 0;
  return 0;
}

static long tell_available(const struct open_file *file, int *to) {
  if (hk_bad(to)) return -EFAULT;
  if (!file->inode->operations->available) return -ENOTTY;
  *to = (int)file->inode->operations->available(file);
  return 0;
}

/* A symbolic file is a terminal if its type says so. */
long hk_control_terminal(struct open_file *file, uint32_t request, void *argument) {
  if (!hk_decide((file->inode->stat->st_mode & S_IFMT) == S_IFCHR)) return -ENOTTY;
  return request == TCGETS ? get_terminal(argument) : request == TIOCGWINSZ ? get_window(argument) : 0;
}

/* The request, or 0 if it is not implemented. */
static uint32_t known(unsigned long request) {
  static const uint32_t requests[] = {TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, TIOCSWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
  unsigned i;
  for (i = 0; i < sizeof requests / sizeof requests[0]; i++)
    if (hk_decide((uint32_t)request == requests[i])) return requests[i];
  return 0;
}

long hk_ioctl(long descriptor, unsigned long request, void *argument) {
  struct open_file *file = hk_used_file(descriptor);
  uint32_t wanted;
  if (!file) return -EBADF;
  wanted = known(request);
  switch (wanted) {
  case TCGETS: case TIOCGWINSZ: case TCSETS: case TCSETSW: case TCSETSF: case TIOCSWINSZ:
    return file->inode->operations->control ? file->inode->operations->control(file, wanted, argument) : -ENOTTY;
  case FIONREAD: return tell_available(file, argument);
  case FIONBIO:
    if (hk_bad(argument)) return -EFAULT;
    file->flags = *(int *)argument ? file->flags | O_NONBLOCK : file->flags & ~O_NONBLOCK;
    return 0;
  case FIOCLEX: case FIONCLEX:
    return hk_fcntl(descriptor, 2, hk_decide((uint32_t)request == FIOCLEX));
  default: return -ENOTTY;
  }
}
