/* Signals that a process sends itself: handlers run at once, on top of the system call, unless blocked;
 * a default action ends the path (SIGABRT as a bug of kind abort). */
#include "internal.h"

enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
enum { SA_SIGINFO = 4, SA_NODEFER = 0x40000000 };
static const uint64_t SA_RESETHAND = 0x80000000u;

/* struct sigaction as the system call has it. */
struct action {
  void (*handler)(int);
  uint64_t flags;
  void (*restorer)(void);
  uint64_t mask;
};

static struct action actions[SIGNAL_LIMIT + 1];
static uint64_t blocked, pending;
static uint64_t alternate_stack[3] = {0, 2 /* disabled */, 0};

static uint64_t bit(long number) { return (uint64_t)1 << (number - 1); }
static const uint64_t unblockable = (uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1);

static int is_ignored(long number) {
  uintptr_t handler = (uintptr_t)actions[number].handler;
  if (handler == 1) return 1;
  return handler == 0 && (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH);
}

static void deliver(long number) {
  struct action *action = &actions[number];
  struct action now = *action;
  uint64_t saved = blocked;
  if (is_ignored(number)) return;
  if (!now.handler) {
    if (number == SIGABRT) homi_abort();
    if (number >= SIGSTOP && number <= 22) homi_gap("the program stops itself");
    homi_exit(128 + (int)number);
  }
  if (now.flags & SA_RESETHAND) action->handler = 0;
  blocked |= now.mask;
  if (!(now.flags & SA_NODEFER)) blocked |= bit(number);
  if (now.flags & SA_SIGINFO) {
    int32_t information[32] = {(int32_t)number, 0, 0, 0, PROCESS_ID, (int32_t)homi_host_id(0)};
    uint64_t context[128] = {0};
    ((void (*)(int, void *, void *))(void (*)(void))now.handler)((int)number, information, context);
  } else {
    now.handler((int)number);
  }
  blocked = saved & ~unblockable;
}

static void deliver_pending(void) {
  long number;
  for (number = 1; number <= SIGNAL_LIMIT && (pending & ~blocked); number++)
    if (pending & ~blocked & bit(number)) {
      pending &= ~bit(number);
      deliver(number);
    }
}

/* Sends a signal to the process. */
long hk_raise(long number) {
  number = (int)homi_concretize((unsigned long)number);
  if (number < 0 || number > SIGNAL_LIMIT) return -EINVAL;
  if (number == 0) return 0;
  if (blocked & bit(number)) {
    if (!is_ignored(number)) pending |= bit(number);
  } else {
    deliver(number);
  }
  return 0;
}

/* 0 and -1 and the process's own group reach the process itself; there is nobody else. */
long hk_kill(long process, long number) {
  process = (int)homi_concretize((unsigned long)process);
  if (process != PROCESS_ID && process != 0 && process != -PROCESS_ID && process != -1)
    return process == PARENT_ID || process == 1 ? -EPERM : -ESRCH;
  return hk_raise(number);
}

long hk_kill_thread(long process, long thread, long number) {
  process = (int)homi_concretize((unsigned long)process);
  thread = (int)homi_concretize((unsigned long)thread);
  if (process <= 0 || thread <= 0) return -EINVAL;
  if (process != PROCESS_ID) return -ESRCH;
  if (thread == hk_thread_id()) return hk_raise(number);
  if (hk_has_threads() && number != 0) homi_gap("a signal to another thread");
  return -ESRCH;
}

/* The mask of the thread that runs. */
uint64_t hk_swap_signal_mask(uint64_t mask) {
  uint64_t previous = blocked;
  blocked = mask;
  return previous;
}

long hk_sigaction(long number, const void *action, void *old, uint64_t size) {
  number = (int)homi_concretize((unsigned long)number);
  if (size != 8 || number < 1 || number > SIGNAL_LIMIT) return -EINVAL;
  if (action && (number == SIGKILL || number == SIGSTOP)) return -EINVAL;
  struct action previous = actions[number];
  if (action) {
    memcpy(&actions[number], action, sizeof(struct action));
    if (is_ignored(number)) pending &= ~bit(number);
  }
  if (old) memcpy(old, &previous, sizeof previous);
  return 0;
}

long hk_sigprocmask(long how, const uint64_t *set, uint64_t *old, uint64_t size) {
  uint64_t previous = blocked;
  if (size != 8) return -EINVAL;
  if (set) {
    how = (int)homi_concretize((unsigned long)how);
    if (how == SIG_BLOCK) blocked |= *set;
    else if (how == SIG_UNBLOCK) blocked &= ~*set;
    else if (how == SIG_SETMASK) blocked = *set;
    else return -EINVAL;
    blocked &= ~unblockable;
  }
  if (old) *old = previous;
  if (set && pending) deliver_pending();
  return 0;
}

long hk_sigpending(uint64_t *set) {
  if (hk_bad(set)) return -EFAULT;
  *set = pending;
  return 0;
}

/* Waits with another mask: only a pending signal or an alarm can end it. */
long hk_sigsuspend(const uint64_t *set) {
  uint64_t saved = blocked;
  blocked = *set & ~unblockable;
  if (pending & ~blocked)
    deliver_pending();
  else
    hk_pause();
  blocked = saved;
  return -EINTR;
}

long hk_sigaltstack(const void *stack, void *old) {
  uint64_t previous[3];
  memcpy(previous, alternate_stack, sizeof previous);
  if (stack) memcpy(alternate_stack, stack, sizeof alternate_stack);
  if (old) memcpy(old, previous, sizeof previous);
  return 0;
}

long hk_sigtimedwait(const uint64_t *set, void *information, const struct kernel_time *timeout) {
  long number;
  for (number = 1; number <= SIGNAL_LIMIT; number++)
    if (pending & *set & bit(number)) {
      pending &= ~bit(number);
      if (information) {
        int32_t values[32] = {(int32_t)number};
        memcpy(information, values, sizeof values);
      }
      return number;
    }
  if (!timeout) homi_gap("sigwait waits for ever");
  long error = hk_nanosleep(timeout, 0, 0);
  return error < 0 ? error : -EAGAIN;
}
