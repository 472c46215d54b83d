/* Second processes. A path follows one process, so a fork is two paths: in one the process goes on as the parent, in the other
 * as the child, and each models what it sees of the other. The symbolic object `fork` (4 bytes: 0 parent, 1 child, and 2, a refusal,
 * where --max-fail allows one) says which, so a test that was made on one side replays on that side.
 *
 * To the parent a child is a process that only keeps its descriptors: when the parent first waits for anything the
 * child executes a program, at the next time it has ended, with an exit status of the test's choice
 * (`child_status`). So what is written to it fits into a pipe or meets SIGPIPE, what is read from it is empty, and a wait for it
 * comes to an end; reading so is an under-approximation. To the child the parent is the same: one that keeps its descriptors until the child has to wait. */
#include "internal.h"

enum { CLONE_VM = 0x100, CLONE_FS = 0x200, CLONE_SIGHAND = 0x800, CLONE_THREAD = 0x10000,
       CLONE_NEWNS = 0x20000, LEAST_ARGUMENTS = 64 };
enum { AS_PARENT, AS_CHILD, REFUSED };
enum { WNOHANG = 1, WUNTRACED = 2, WEXITED = 4, WCONTINUED = 8, WNOWAIT = 0x1000000 };
static const uint32_t of_clones = 0xe0000000; /* __WNOTHREAD __WALL __WCLONE: nothing to tell apart here */
enum { P_ALL, P_PID, P_PGID };
enum { CLD_EXITED = 1, CLD_KILLED = 2, SIGTERM = 15, STATUSES = 257, TERMINATED = 256 };
enum { CHILDREN = 16, NOBODY = -2 };

enum stage { STARTED, EXECUTED, ENDED };

struct held {
  struct open_file *file;
  int close_on_exec;
};

struct child {
  int id;                     /* 0: this place is free */
  enum stage stage;
  int signal;                 /* that killed it; 0: none so far */
  int asked, status;          /* exit status, symbolic, once it was asked for */
  struct held *held;
  unsigned held_count;
};

static struct child children[CHILDREN];
static struct child the_others; /* in a child: what its parent and the children before it hold */
static int born;

/* Combinations that Linux refuses. */
static int contradict(uint64_t flags) {
  if ((flags & CLONE_NEWNS) && (flags & CLONE_FS)) return 1;
  if ((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) return 1;
  return (flags & CLONE_SIGHAND) && !(flags & CLONE_VM);
}

static struct child *free_place(void) {
  int i;
  for (i = 0; i < CHILDREN; i++)
    if (!children[i].id) return &children[i];
  return 0;
}

/* Only what two processes share matters: the ends of pipes and of sockets. A process that executes a program at once writes only to
 * what the program keeps. */
static void hold_descriptors(struct child *child, int executes) {
  unsigned i;
  child->held = realloc(child->held, (child->held_count + hk.descriptor_count + 1) * sizeof *child->held);
  for (i = 0; i < hk.descriptor_count; i++) {
    struct open_file *file = hk.descriptors[i].file;
    if (!file || !file->inode->operations->is_shared) continue;
    file->references++;
    if ((file->flags & O_ACCMODE) != O_RDONLY && !(executes && hk.descriptors[i].close_on_exec)) file->inode->is_of_others = 1;
    child->held[child->held_count].file = file;
    child->held[child->held_count++].close_on_exec = hk.descriptors[i].close_on_exec;
  }
}

/* `only_at_execution` closes the writable descriptors with close-on-exec: libc's spawning functions wait for that end of a pipe, while an
 * end to read has become the new program's standard input before. */
static void give_up(struct child *child, int only_at_execution) {
  unsigned i, kept = 0;
  for (i = 0; i < child->held_count; i++) {
    const struct held *held = &child->held[i];
    if (only_at_execution && !(held->close_on_exec && (held->file->flags & O_ACCMODE) == O_WRONLY))
      child->held[kept++] = child->held[i];
    else
      hk_drop_file(child->held[i].file);
  }
  child->held_count = kept;
}

static void end(struct child *child) {
  give_up(child, 0);
  free(child->held);
  child->held = 0;
  child->stage = ENDED;
}

/* Moves the held children of `from` to `to`. */
static void hand_over(struct child *from, struct child *to) {
  to->held = realloc(to->held, (to->held_count + from->held_count + 1) * sizeof *to->held);
  memcpy(to->held + to->held_count, from->held, from->held_count * sizeof *to->held);
  to->held_count += from->held_count;
  from->held_count = 0;
}

/* A read that gets nothing where another process could have written something. */
void hk_note_silence(const struct inode *inode) {
  if (inode->is_of_others) homi_note_concretized("another process writes nothing");
}

/* The path follows the child from here on, which has no children to wait for. */
static void become(int id) {
  int i;
  for (i = 0; i < CHILDREN; i++) {
    if (children[i].held) hand_over(&children[i], &the_others);
    free(children[i].held);
    memset(&children[i], 0, sizeof children[i]);
  }
  hold_descriptors(&the_others, 0);
  hk.parent = hk.process;
  hk.process = id;
  hk_only_this_thread();
  hk_forget_pending();
  hk_alarm(0);
}

/* fork, vfork, clone and clone3 by a program itself. Threads come through libc (threads.c). `flags` are clone's; clone3 has a structure
 * of `size` bytes that starts with them. The child's number, or 0 in it. */
long hk_fork(long number, unsigned long flags, uint64_t size) {
  struct child *child;
  int side;
  if (number == CALL_clone3) {
    if (hk_decide(size > PAGE)) return -E2BIG;
    if (hk_decide(size < LEAST_ARGUMENTS)) return -EINVAL;
    if (hk_bad((const void *)flags)) return -EFAULT;
    flags = *(const uint64_t *)flags;
  }
  if (number == CALL_clone || number == CALL_clone3) {
    flags = homi_concretize(flags);
    if (contradict(flags)) return -EINVAL;
    if (flags & CLONE_THREAD) return -EAGAIN;
  }
  child = free_place();
  if (!child) {
    homi_note_concretized("no more than 16 children at a time");
    return -EAGAIN;
  }
  klee_warning_once("parent and child go on as a path each, and what one sees of the other is modelled");
  side = hk_symbolic_range(AS_PARENT, hk.failures_left ? REFUSED + 1 : AS_CHILD + 1, "fork");
  born++;
  if (hk_decide(side == AS_CHILD)) {
    become(FIRST_CHILD_ID + born);
    return 0;
  }
  if (hk_decide(side == REFUSED)) {
    hk.failures_left--;
    return -EAGAIN;
  }
  memset(child, 0, sizeof *child);
  child->id = FIRST_CHILD_ID + born;
  hold_descriptors(child, number == CALL_clone && (flags & CLONE_VM));
  return child->id;
}

/* wait's status: of a killed child its signal, else what the test chooses. */
static int status_of(struct child *child) {
  if (child->signal) return child->signal;
  if (!child->asked) child->status = hk_symbolic_range(0, STATUSES, "child_status");
  child->asked = 1;
  if (hk_decide(child->status == TERMINATED)) return child->signal = SIGTERM;
  return child->status << 8;
}

/* SIGCHLD for a child that has ended. Its status is chosen now if the signal tells it. */
static void tell_end(struct child *child, int id) {
  const int status = hk_tells_signal(SIGCHLD) ? status_of(child) : 0;
  if (child->signal) hk_raise_about(SIGCHLD, CLD_KILLED, id, (uint64_t)child->signal);
  else hk_raise_about(SIGCHLD, CLD_EXITED, id, (uint64_t)(status >> 8));
}

/* Advances a child by one stage. Returns true if it ended, which the caller reports by SIGCHLD; if that is ignored, the child is reaped. */
static int advance(struct child *child) {
  if (child->stage == STARTED) {
    give_up(child, 1);
    child->stage = EXECUTED;
    return 0;
  }
  end(child);
  if (hk_children_end_unseen()) child->id = 0;
  return 1;
}

/* The same, with SIGCHLD at once. */
static void advance_and_tell(struct child *child) {
  const int id = child->id;
  if (advance(child)) tell_end(child, id);
}

/* The oldest child that has not ended goes on, since everything else waits, and at last the parent. Whether there was one. */
int hk_child_moves(void) {
  struct child *oldest = 0;
  int i;
  for (i = 0; i < CHILDREN; i++)
    if (children[i].id && children[i].stage != ENDED && (!oldest || children[i].id < oldest->id)) oldest = &children[i];
  if (oldest) advance_and_tell(oldest);
  if (oldest || the_others.held_count == 0) return oldest != 0;
  end(&the_others);
  return 1;
}

/* Finds a child by its number, or by the negative number of its group. */
static struct child *child_of(long id) {
  int i;
  for (i = 0; i < CHILDREN; i++)
    if (children[i].id && hk_decide((id == children[i].id) | (id == -children[i].id))) return &children[i];
  return 0;
}

/* A signal to a child, or to the group that it may lead: 0, or -ESRCH if there is none. It has the signal's default action. */
long hk_kill_child(long id, long number) {
  struct child *child = child_of(id);
  if (!child) return -ESRCH;
  if (number == 0 || child->stage == ENDED || hk_is_harmless(number)) return 0;
  child->signal = (int)number;
  end(child);
  tell_end(child, child->id);
  return 0;
}

/* An ended child among the wanted ones, else one that lives; null: there is none to wait for. */
static struct child *find(long wanted) {
  struct child *found = 0;
  int i;
  for (i = 0; i < CHILDREN; i++) {
    struct child *child = &children[i];
    if (!child->id || (wanted && wanted != child->id)) continue;
    if (!found || (child->stage == ENDED && found->stage != ENDED)) found = child;
  }
  return found;
}

/* One of the wanted children (0: any) that has ended, which a wait brings about; null with 0 or -errno in `*error`. `*fresh`: it ended
 * just now, and SIGCHLD comes once the caller is done with it: as on Linux, a handler that waits, too, finds it gone. */
static struct child *await(long wanted, long options, long *error, int *fresh) {
  struct child *child;
  *error = *fresh = 0;
  while ((child = find(wanted)) && child->stage != ENDED) {
    if (options & WNOHANG) {
      /* A program that asks again and again meets the end. */
      advance_and_tell(child);
      return 0;
    }
    *fresh = advance(child);
  }
  if (!child) *error = -ECHILD;
  return child;
}

/* The number of the child that a process number means; 0: the own group; NOBODY: none. */
static long wanted_of(long id) {
  const struct child *child;
  if (hk_decide(id == 0)) return 0;
  child = child_of(id);
  return child ? child->id : NOBODY;
}

static long wait4(long wanted, int *status, long options) {
  struct child *child;
  long error;
  int id, fresh;
  if (hk_decide(((uint32_t)options & ~(of_clones | WNOHANG | WUNTRACED | WCONTINUED)) != 0)) return -EINVAL;
  options = (long)homi_concretize((unsigned)options & WNOHANG);
  child = await(hk_decide(wanted == -1) ? 0 : wanted_of(wanted), options, &error, &fresh);
  if (!child) return error;
  if (status && hk_bad(status)) return -EFAULT;
  if (status) *status = status_of(child);
  id = child->id;
  child->id = 0;
  if (fresh) tell_end(child, id);
  return id;
}

static long waitid(long kind, long wanted, int32_t *information, long options) {
  struct child *child;
  long error;
  int status, fresh, id;
  const uint32_t kinds = WUNTRACED | WEXITED | WCONTINUED;
  if (hk_decide(!((uint32_t)options & kinds) | (((uint32_t)options & ~(of_clones | kinds | WNOHANG | WNOWAIT)) != 0))) return -EINVAL;
  options = (long)homi_concretize((unsigned)options & (WNOHANG | WNOWAIT));
  kind = hk_int(kind, P_ALL, P_PGID);
  if (kind > P_PGID) return -EINVAL;
  child = await(kind == P_ALL ? 0 : wanted_of(wanted), options, &error, &fresh);
  if (information && !hk_bad(information)) memset(information, 0, 32 * sizeof information[0]);
  if (!child) return error;
  if (information) {
    if (hk_bad(information)) return -EFAULT;
    status = status_of(child);
    information[0] = SIGCHLD;
    information[2] = child->signal ? CLD_KILLED : CLD_EXITED;
    information[4] = child->id;
    information[5] = (int32_t)homi_host_id(0);
    information[6] = child->signal ? child->signal : status >> 8;
  }
  id = child->id;
  if (!(options & WNOWAIT)) child->id = 0;
  if (fresh) tell_end(child, id);
  return 0;
}

/* wait4 and waitid. Nobody has used any resources. */
long hk_wait_call(long number, long a1, long a2, long a3, long a4, void *usage) {
  long result;
  if (number == CALL_wait4)
    result = wait4((int)a1, (int *)a2, (int)a3);
  else
    result = waitid((int)a1, (int)a2, (int32_t *)a3, (int)a4);
  if (result >= 0 && usage && !hk_bad(usage)) memset(usage, 0, 144);
  return result;
}
