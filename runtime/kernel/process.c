/* This process: who it is, and its replacement by another program. Second processes are children.c's. */
#include "internal.h"

/* `flags` are execveat's: a descriptor stands for its file with AT_EMPTY_PATH. */
long hk_execute(long directory, const char *path, long flags) {
  struct place place;
  long error = hk_walk(directory, path, WALK_FOLLOW | (flags & AT_EMPTY_PATH ? WALK_EMPTY : 0), &place);
  if (error < 0) return error;
  if (place.inode->kind != INODE_REGULAR || !hk_allowed(place.inode, MAY_EXECUTE)) return -EACCES;
  klee_warning_once("the path ends where another program would take over");
  hk_exit(0);
}

/* The first process leads its group already. */
long hk_setsid(void) {
  if (hk.process == hk.group) return -EPERM;
  hk.session = hk.group = hk.process;
  return hk.process;
}

/* This process, one of its threads, its parent or a child. */
static int is_known(long process) {
  enum { CHILDREN = 1 << 16 };
  const int id = (int)process;
  const int is_child = (id >= FIRST_CHILD_ID) & (id < FIRST_CHILD_ID + CHILDREN);
  if (hk_decide((id == 0) | (id == hk.process) | (id == hk.parent) | is_child)) return 1;
  return hk_thread_lives((int)homi_concretize((unsigned)id));
}

long hk_getpgid(long process) { return is_known(process) ? hk.group : -ESRCH; }
long hk_getsid(long process) { return is_known(process) ? hk.session : -ESRCH; }

/* setpgid of this process or one of its children, whose groups no call returns. */
long hk_setpgid(long process, long group) {
  process = (int)process;
  if (hk_decide((int)group < 0)) return -EINVAL;
  if (hk_decide((process != 0) & (process != hk.process))) return is_known(process) ? 0 : -ESRCH;
  if (hk.session == hk.process) return -EPERM;
  hk.group = hk_decide((int)group == 0) ? hk.process : (int)homi_concretize((unsigned)group);
  return 0;
}

/* The names of threads are kept, everything else is accepted. */
long hk_prctl(long option, char *name) {
  enum { GET_DUMPABLE = 3, SET_DUMPABLE = 4, SET_NAME = 15, GET_NAME = 16, LENGTH = 16, THREADS = 32, OPTIONS = 100, NAMED = 1 << 28 };
  static char names[THREADS][LENGTH];
  static int dumpable = 1;
  char *own = names[(hk_thread_id() - hk.process) % THREADS];
  /* Options behind the numbered ones have names of four letters as numbers. */
  if (hk_decide((option == 0) | ((unsigned)option > OPTIONS && (unsigned)option < NAMED))) return -EINVAL;
  if (hk_decide((int)option == GET_DUMPABLE)) return dumpable;
  if (hk_decide((int)option == SET_DUMPABLE)) {
    if (hk_decide((uintptr_t)name > 1)) return -EINVAL;
    dumpable = hk_decide(name != 0);
    return 0;
  }
  option = hk_int(option, SET_NAME, GET_NAME);
  if (option > GET_NAME) return 0;
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
