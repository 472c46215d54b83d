/* Other processes: there are none. A second process or another program in this one cannot be modelled, so
 * where Linux would start one, the path ends as a named gap; where Linux refuses, so does this. */
#include "internal.h"

enum { CLONE = 56, CLONE3 = 435, CLONE_VM = 0x100, CLONE_FS = 0x200, CLONE_SIGHAND = 0x800, CLONE_THREAD = 0x10000,
       CLONE_NEWNS = 0x20000, LEAST_ARGUMENTS = 64 };

/* Combinations that Linux refuses. */
static int contradict(uint64_t flags) {
  if ((flags & CLONE_NEWNS) && (flags & CLONE_FS)) return 1;
  if ((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) return 1;
  return (flags & CLONE_SIGHAND) && !(flags & CLONE_VM);
}

/* fork, vfork, clone and clone3 by a program itself. Threads come through libc (threads.c). `flags` are clone's; clone3 has a structure
 * of `size` bytes that starts with them. */
long hk_fork(long number, unsigned long flags, uint64_t size) {
  if (number == CLONE3) {
    size = homi_concretize(size);
    if (size > PAGE) return -E2BIG;
    if (size < LEAST_ARGUMENTS) return -EINVAL;
    if (hk_bad((const void *)flags)) return -EFAULT;
    flags = *(const uint64_t *)flags;
  }
  if (number == CLONE || number == CLONE3) {
    flags = homi_concretize(flags);
    if (contradict(flags)) return -EINVAL;
    if (flags & CLONE_THREAD) return -EAGAIN;
  }
  homi_gap("fork");
}

/* `flags` are execveat's: a descriptor stands for its file with AT_EMPTY_PATH. */
long hk_execute(long directory, const char *path, long flags) {
  struct place place;
  long error = hk_walk(directory, path, WALK_FOLLOW | (flags & AT_EMPTY_PATH ? WALK_EMPTY : 0), &place);
  if (error < 0) return error;
  if (place.inode->kind != INODE_REGULAR || !hk_allowed(place.inode, MAY_EXECUTE)) return -EACCES;
  homi_gap("execve");
}

/* The names of threads are kept, everything else is accepted. */
long hk_prctl(long option, char *name) {
  enum { SET_NAME = 15, GET_NAME = 16, LENGTH = 16, THREADS = 32 };
  static char names[THREADS][LENGTH];
  char *own = names[(hk_thread_id() - PROCESS_ID) % THREADS];
  option = (int)homi_concretize((unsigned long)option);
  if (option != SET_NAME && option != GET_NAME) return 0;
  if (hk_bad(name)) return -EFAULT;
  if (option == GET_NAME) {
    memcpy(name, own[0] ? own : "program\0\0\0\0\0\0\0\0", LENGTH);
  } else {
    unsigned i;
    memset(own, 0, LENGTH);
    for (i = 0; i < LENGTH - 1 && name[i]; i++) own[i] = name[i];
  }
  return 0;
}
