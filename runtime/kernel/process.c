/* Other processes: there are none. A second process or another program in this one cannot be modelled, so
 * where Linux would start one, the path ends as a named gap; where Linux refuses, so does this. */
#include "internal.h"

enum { CLONE = 56, CLONE_THREAD = 0x10000 };

/* fork, vfork, clone by a program itself. Threads come through libc (threads.c). */
long hk_fork(long number, long flags) {
  if (number == CLONE && (flags & CLONE_THREAD)) return -EAGAIN;
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
