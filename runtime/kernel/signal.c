/* Signals that a process sends itself: handlers run at once, on top of the system call, unless blocked;
 * a default action ends the path (SIGABRT as a bug of kind abort). What is blocked waits in a queue: one of each of the
 * signals below 32, all of the others, in order. A signal for another thread waits, too, until that thread runs. */
#include "internal.h"

enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
enum { SA_NOCLDWAIT = 2, SA_SIGINFO = 4, SA_ONSTACK = 0x8000000, SA_RESTART = 0x10000000, SA_NODEFER = 0x40000000 };
/* SEGV_ACCERR: what is mapped does not allow the access. */
enum { CODE_FAULT = 2 };
enum { CODE_USER = 0, CODE_KERNEL = 0x80, CODE_QUEUE = -1, CODE_TIMER = -2, CODE_THREAD = -6 };
enum { QUEUE = 64, REAL_TIME = 32, ANY_THREAD = -1 };
static const uint64_t SA_RESETHAND = 0x80000000u;

/* struct sigaction as the system call has it. */
struct action {
  void (*handler)(int);
  size_t flags;
  void (*restorer)(void);
  uint64_t mask;
};

struct sent {
  int32_t number, code;
  uint64_t value;
  int thread;  /* its number, or ANY_THREAD */
  int32_t who; /* a timer's or child's number; 0: this process */
  int32_t overrun;
};

static struct action actions[SIGNAL_LIMIT + 1];
static uint64_t blocked;
static struct sent queue[QUEUE];
static int queued;
static unsigned long handled; /* how many handlers have run */
static uint64_t put_ever;     /* how many signals have waited */
enum { STACK_ON = 1, STACK_DISABLED = 2 };
static uint64_t alternate_stack[3] = {0, STACK_DISABLED, 0};
/* Handlers run on the one stack that there is; where the call lies of one that should run on the other; 0: there is none. */
static uintptr_t alternate_from;

static uint64_t bit(long number) { return (uint64_t)1 << (number - 1); }
static const uint64_t unblockable = (uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1);

static int is_ignored(long number) {
  uintptr_t handler = (uintptr_t)actions[number].handler;
  if (handler == 1) return 1;
  return handler == 0 && (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH);
}

/* True if a signal's default action neither ends nor cores: it is ignored, or stops the process. */
int hk_is_harmless(long number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || (number >= SIGCONT && number <= 22);
}

/* True if the program does not want to wait for its children. */
int hk_children_end_unseen(void) {
  return (uintptr_t)actions[SIGCHLD].handler == 1 || (actions[SIGCHLD].flags & SA_NOCLDWAIT);
}

/* ---- what waits ---- */

/* Pending signals, which a new process does not inherit. */
void hk_forget_pending(void) { queued = 0; }

static int is_for_this_thread(const struct sent *sent) {
  return sent->thread == ANY_THREAD || sent->thread == hk_thread_id();
}

static long put(struct sent sent) {
  int i;
  hk_change();
  for (i = 0; i < queued; i++)
    if (queue[i].number == sent.number && queue[i].thread == sent.thread && sent.number < REAL_TIME) return 0;
  if (queued == QUEUE) {
    homi_note_concretized("no more than 64 signals wait");
    return -EAGAIN;
  }
  queue[queued++] = sent;
  put_ever++;
  return 0;
}

static void forget(int at) {
  memmove(queue + at, queue + at + 1, (uint64_t)(--queued - at) * sizeof queue[0]);
}

/* A signal to the thread comes before one to the process, then the lower number comes first. */
static int comes_before(const struct sent *a, const struct sent *b) {
  int a_is_shared = a->thread == ANY_THREAD, b_is_shared = b->thread == ANY_THREAD;
  return a_is_shared != b_is_shared ? b_is_shared : a->number < b->number;
}

/* Sets the overrun of a timer when its signal is delivered. */
static void settle(struct sent *sent) {
  if (sent->code == CODE_TIMER) sent->overrun = hk_timer_taken(sent->who);
}

/* The first in `set` that the current thread may take. */
static int take(uint64_t set, struct sent *sent) {
  int i, best = -1;
  for (i = 0; i < queued; i++)
    if ((set & bit(queue[i].number)) && is_for_this_thread(&queue[i]) && (best < 0 || comes_before(&queue[i], &queue[best])))
      best = i;
  if (best < 0) return 0;
  *sent = queue[best];
  forget(best);
  settle(sent);
  return 1;
}

/* Index of the signal-dependent part of siginfo_t, which is aligned like a pointer. */
enum { DETAILS = sizeof(void *) == 4 ? 3 : 4 };

static void describe(const struct sent *sent, int32_t *information) {
  memset(information, 0, 32 * sizeof information[0]);
  information[0] = sent->number;
  information[2] = sent->code;
  if (sent->code == CODE_KERNEL) return;
  if (sent->code == CODE_FAULT && (sent->number == SIGSEGV || sent->number == SIGBUS)) {
    memcpy(information + DETAILS, &sent->value, sizeof sent->value);
    return;
  }
  information[DETAILS] = sent->code == CODE_TIMER || sent->who ? sent->who : hk.process;
  information[DETAILS + 1] = sent->code == CODE_TIMER ? sent->overrun : (int32_t)homi_host_id(0);
  memcpy(information + DETAILS + 2, &sent->value, sizeof sent->value);
}

/* ---- delivery ---- */

/* True within a handler that should run on the alternate stack: callees lie below their callers. */
static int is_on_alternate(void) {
  char here;
  return alternate_from && (uintptr_t)&here < alternate_from;
}

/* A jump with a mask leaves the handlers that are under way. One within a handler is taken for such. */
void __homi_handlers_left(void) { alternate_from = 0; }

/* Whether the program handles SIGABRT: abort() is then a signal and not the end of the path. */
int __homi_abort_handled;

static void deliver(struct sent sent) {
  long number = sent.number;
  struct action *action = &actions[number];
  struct action now = *action;
  uint64_t saved = blocked;
  uintptr_t outer = alternate_from;
  if (is_ignored(number)) return;
  if (!now.handler) {
    if (number == SIGABRT) homi_abort();
    if (number >= SIGSTOP && number <= 22) homi_unsupported("the program stops itself");
    homi_exit(128 + (int)number);
  }
  if (now.flags & SA_RESETHAND) action->handler = 0;
  if (number == SIGABRT) __homi_abort_handled = action->handler != 0;
  blocked |= now.mask;
  if (!(now.flags & SA_NODEFER)) blocked |= bit(number);
  /* Whatever else is pending gets its frame on top of this one, so its handler runs first. */
  hk_deliver_pending();
  handled++;
  if (now.flags & SA_ONSTACK && !(alternate_stack[1] & STACK_DISABLED) && !is_on_alternate()) alternate_from = (uintptr_t)&saved;
  if (now.flags & SA_SIGINFO) {
    int32_t information[32];
    uint64_t context[128] = {0};
    describe(&sent, information);
    ((void (*)(int, void *, void *))(void (*)(void))now.handler)((int)number, information, context);
  } else {
    now.handler((int)number);
  }
  alternate_from = outer;
  blocked = saved & ~unblockable;
  if (!(now.flags & SA_RESTART)) hk_interrupt(hk_thread_id());
}

void hk_deliver_pending(void) {
  struct sent sent;
  while (queued && take(~blocked, &sent)) deliver(sent);
}

/* The engine calls this at an access that the protection of the program's mapping forbids, before the instruction, which
 * is executed again afterwards. Null: the program does not handle SIGSEGV, and the access is its bug. */
void (*__homi_fault_entry)(uint64_t address);

static void fault(uint64_t address) {
  const int number = (uintptr_t)actions[SIGBUS].handler > 1 ? hk_fault_signal(address) : SIGSEGV;
  struct sent sent = {number, CODE_FAULT, address, hk_thread_id(), 0, 0};
  /* Nothing can come after it, so a handler is no use that is not to run. */
  if (blocked & bit(sent.number)) actions[sent.number].handler = 0;
  deliver(sent);
  hk_deliver_pending();
}

static void watch_faults(void) {
  uintptr_t handler = (uintptr_t)actions[SIGSEGV].handler;
  __homi_fault_entry = handler > 1 ? fault : 0;
  __homi_abort_handled = (uintptr_t)actions[SIGABRT].handler > 1;
}

/* Sends a signal to a thread or to the process. A blocked signal waits even if it is ignored. A signal to the process goes to the running thread unless that blocks it, else to one that does not. */
static long send(struct sent sent) {
  int self = hk_thread_id(), other;
  if (sent.thread == ANY_THREAD || sent.thread == self) {
    if (!(blocked & bit(sent.number))) {
      settle(&sent);
      deliver(sent);
      hk_deliver_pending(); /* what the handler blocked */
      return 0;
    }
  }
  other = sent.thread == ANY_THREAD ? hk_thread_that_accepts(bit(sent.number)) : sent.thread;
  if (other > 0 && other != self && !(hk_signal_mask_of(other) & bit(sent.number))) hk_interrupt(other);
  return put(sent);
}

static long checked(long *number) {
  *number = hk_int(*number, 0, SIGNAL_LIMIT);
  return *number > SIGNAL_LIMIT ? -EINVAL : 0;
}

/* A signal of the kernel's own to the process. */
long hk_raise(long number) {
  const int is_alarm = number == SIGALRM || number == SIGVTALRM || number == SIGPROF;
  struct sent sent = {(int32_t)number, is_alarm ? CODE_KERNEL : CODE_USER, 0, ANY_THREAD, 0, 0};
  return send(sent);
}

/* The same with what siginfo_t tells: why, about whom (0: this process), and a value. */
void hk_raise_about(long number, int code, int who, uint64_t value) {
  struct sent sent = {(int32_t)number, code, value, ANY_THREAD, who, 0};
  send(sent);
}

/* True if somebody may look at the siginfo_t of such a signal. */
int hk_tells_signal(long number) { return actions[number].flags & SA_SIGINFO || blocked & bit(number); }

/* The timer is set anew or deleted. */
void hk_forget_timer(int timer) {
  int i = queued;
  while (i-- > 0)
    if (queue[i].code == CODE_TIMER && queue[i].who == timer) forget(i);
}

/* A timer's signal; `thread` 0: to the process. */
void hk_raise_timer(long number, int thread, int timer, uint64_t value) {
  struct sent sent = {(int32_t)number, CODE_TIMER, value, thread ? thread : ANY_THREAD, timer, 0};
  send(sent);
}

/* 0 and -1 and the process's own group reach the process itself; of others there are only children. */
static long check_process(long process) {
  process = (int)process;
  if (hk_decide((process == hk.process) | (process == 0) | (process == -hk.group) | (process == -1))) return 0;
  return hk_decide((process == hk.parent) | (process == 1)) ? -EPERM : -ESRCH;
}

long hk_kill(long process, long number) {
  long error = check_process(process);
  struct sent sent = {0, CODE_USER, 0, ANY_THREAD, 0, 0};
  if (error == -ESRCH && !checked(&number)) return hk_kill_child((int)process, number);
  if (!error) error = checked(&number);
  if (error || number == 0) return error;
  sent.number = (int32_t)number;
  return send(sent);
}

static long send_to_thread(long process, long thread, long number, struct sent sent) {
  if (hk_decide(((int)process <= 0) | ((int)thread <= 0))) return -EINVAL;
  if (hk_decide((int)process != hk.process)) return -ESRCH;
  thread = (int)homi_concretize((unsigned)thread);
  if (!hk_thread_lives((int)thread)) return -ESRCH;
  if (checked(&number)) return -EINVAL;
  if (number == 0) return 0;
  sent.number = (int32_t)number;
  sent.thread = (int)thread;
  return send(sent);
}

long hk_kill_thread(long process, long thread, long number) {
  return send_to_thread(process, thread, number, (struct sent){0, CODE_THREAD, 0, 0, 0, 0});
}

/* `information` is a siginfo_t; the kernel fills in the number. */
static struct sent sent_with(const int32_t *information) {
  struct sent sent = {0, information[2], 0, 0, 0, 0};
  memcpy(&sent.value, information + 6, sizeof sent.value);
  return sent;
}

long hk_queue_thread_signal(long process, long thread, long number, const int32_t *information) {
  if (hk_bad(information)) return -EFAULT;
  return send_to_thread(process, thread, number, sent_with(information));
}

long hk_queue_signal(long process, long number, const int32_t *information) {
  long error = check_process(process);
  if (!error) error = checked(&number);
  if (error || number == 0) return error;
  if (hk_bad(information)) return -EFAULT;
  struct sent sent = sent_with(information);
  sent.number = (int32_t)number;
  sent.thread = ANY_THREAD;
  return send(sent);
}

/* The mask of the thread that runs. */
uint64_t hk_swap_signal_mask(uint64_t mask) {
  uint64_t previous = blocked;
  blocked = mask;
  return previous;
}

long hk_sigaction(long number, const void *action, void *old, uint64_t size) {
  number = hk_int(number, 1, SIGNAL_LIMIT);
  if (hk_decide(size != 8) || number > SIGNAL_LIMIT) return -EINVAL;
  if (action && (number == SIGKILL || number == SIGSTOP)) return -EINVAL;
  struct action previous = actions[number];
  if (action) {
    memcpy(&actions[number], action, sizeof(struct action));
    watch_faults();
    if (is_ignored(number)) {
      int i = queued;
      while (i-- > 0)
        if (queue[i].number == number) forget(i);
    }
  }
  if (old) memcpy(old, &previous, sizeof previous);
  return 0;
}

long hk_sigprocmask(long how, const uint64_t *set, uint64_t *old, uint64_t size) {
  uint64_t previous = blocked;
  if (size != 8) return -EINVAL;
  if (set) {
    how = hk_int(how, SIG_BLOCK, SIG_SETMASK);
    if (how == SIG_BLOCK) blocked |= *set;
    else if (how == SIG_UNBLOCK) blocked &= ~*set;
    else if (how == SIG_SETMASK) blocked = *set;
    else return -EINVAL;
    blocked &= ~unblockable;
  }
  if (old) *old = previous;
  if (set) hk_deliver_pending();
  return 0;
}

static uint64_t pending(void) {
  uint64_t set = 0;
  int i;
  for (i = 0; i < queued; i++)
    if (is_for_this_thread(&queue[i])) set |= bit(queue[i].number);
  return set;
}

long hk_sigpending(uint64_t *set) {
  if (hk_bad(set)) return -EFAULT;
  *set = pending();
  return 0;
}

/* ---- for calls that wait ---- */

/* Number of handlers that have run so far. */
unsigned long hk_handled(void) { return handled; }

/* Number of signals that were ever pending. */
uint64_t hk_waiting_signals(void) { return put_ever; }

uint64_t hk_pending_signals(void) { return pending(); }

/* Takes a pending signal of the set, described as a siginfo_t. */
int hk_take_signal(uint64_t set, int32_t *information) {
  struct sent sent;
  if (!take(set, &sent)) return 0;
  describe(&sent, information);
  return 1;
}

/* Another mask for the time of a call; what it lets through is delivered. */
uint64_t hk_enter_mask(const uint64_t *set) {
  uint64_t saved = blocked;
  blocked = *set & ~unblockable;
  hk_deliver_pending();
  return saved;
}

void hk_leave_mask(uint64_t saved) {
  blocked = saved;
  hk_deliver_pending();
}

/* Until a handler has run. */
long hk_pause(void) {
  unsigned long before = handled;
  hk_interrupted();
  while (handled == before) {
    hk_deliver_pending();
    if (hk_interrupted()) break;
    if (handled == before) hk_wait(0, 0, "pause waits for ever");
  }
  return -EINTR;
}

/* Waits with another mask. */
long hk_sigsuspend(const uint64_t *set) {
  uint64_t saved = blocked;
  blocked = *set & ~unblockable;
  hk_pause();
  blocked = saved;
  hk_deliver_pending();
  return -EINTR;
}

/* Whether a stack for handlers is one: known flags first, then the least size. */
static long check_stack(const uint64_t *stack) {
  enum { DISABLED = 2, LEAST_SIZE = 2048 };
  const uint32_t mode = (uint32_t)stack[1] & 0x7fffffff;
  if (hk_decide(mode > DISABLED)) return -EINVAL;
  return hk_decide((mode != DISABLED) & (stack[2] < LEAST_SIZE)) ? -ENOMEM : 0;
}

long hk_sigaltstack(const void *stack, void *old) {
  uint64_t previous[3];
  memcpy(previous, alternate_stack, sizeof previous);
  if (is_on_alternate()) {
    if (stack) return -EPERM;
    previous[1] = STACK_ON;
  }
  if (stack) {
    const long error = check_stack(stack);
    if (error) return error;
    memcpy(alternate_stack, stack, sizeof alternate_stack);
  }
  if (old) memcpy(old, previous, sizeof previous);
  return 0;
}

long hk_sigtimedwait(const uint64_t *set, void *information, const struct kernel_time *timeout) {
  struct sent sent;
  uint64_t deadline = 0;
  unsigned long before = handled;
  if (timeout) {
    long error;
    deadline = hk_deadline_of(timeout, 0, &error);
    if (error) return error;
  }
  hk_interrupted();
  while (!take(*set, &sent)) {
    if (hk_interrupted() || handled != before) return -EINTR;
    if (timeout && hk_clock() >= deadline) return -EAGAIN;
    hk_wait(deadline, 0, "sigwait waits for ever");
  }
  if (information) {
    int32_t values[32];
    describe(&sent, values);
    memcpy(information, values, sizeof values);
  }
  return sent.number;
}
