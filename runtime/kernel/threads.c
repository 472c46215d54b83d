/* Threads of the one process, under a scheduler that is the same in every run: a thread goes on until it
 * waits, yields, sleeps, ends or has computed for long, then the next one that can run does, in order of number. The engine keeps a call
 * stack for each; who runs is decided here. musl's own mutexes, conditions, joins and semaphores work on top,
 * since all of them come down to futexes.
 *
 * Each thread has thread-local variables of its own: main's are the program's, and further threads get copies of what
 * those were at the start. The program finds them by the list of the running thread.
 *
 * If no thread can run, the clock jumps to the first time-out or alarm; without one, that is a
 * deadlock, which is reported as a bug of the program. */
#include "internal.h"

enum { THREADS = 160, STACKS = 250, SECOND = 1000000000 };
/* Instructions of the program after which others run, and the time that they count as: a second of computing is 50 million. */
enum { TICK = 100000, TICK_TIME = 2000000 };
/* Ticks in which several threads could run and none waited, ended, began or woke: they wait for each other by looking. */
enum { SPINS = 1000 };
enum { CLONE_THREAD = 0x10000 };
enum { FUTEX_WAIT, FUTEX_WAKE, FUTEX_REQUEUE = 3, FUTEX_CMP_REQUEUE, FUTEX_WAIT_BITSET = 9, FUTEX_WAKE_BITSET,
       FUTEX_COMMAND = 0x7f };

enum condition { THREAD_NONE, THREAD_READY, THREAD_WAITING, THREAD_SLEEPING };

struct thread {
  enum condition condition;
  int id;                  /* which no other thread gets when this one has ended */
  int (*function)(void *);
  void *argument;
  void *pointer;           /* what the thread pointer register would hold */
  int *clear_at_exit;
  const int *futex;        /* what it waits for */
  uint64_t wake_at;        /* on the clock; 0: never */
  long result;             /* of the system call in which it waits */
  uint64_t signal_mask;
  int interrupted;         /* what it waits for in a loop ends with EINTR */
  void (*when_it_runs)(void);
  void **locals;           /* its thread-local variables */
  int stack;               /* the call stack of the context that it is in; 0: its own */
};

/* The first is main's. */
static struct thread threads[THREADS] = {{.condition = THREAD_READY, .id = PROCESS_ID}};
static int current, alive = 1;
static int used = 1; /* numbers of threads that have lived are below */
static unsigned char stack_used[STACKS]; /* of contexts */
static int last_id = PROCESS_ID; /* main's; the others' follow */
static unsigned ticks_alike;
static unsigned looks; /* how many threads in turn have looked for what they wait for, and found nothing, since something changed */
static int explores_orders;
static unsigned long preemptions_left;
static void **first_locals; /* copies of thread-local variables as they are when a thread starts */

void *__homi_thread_pointer;

/* The thread-local variables of the thread that runs: the program loads addresses from this list. */
void **homi_thread_locals;

int hk_thread_id(void) { return threads[current].id; }
int hk_has_threads(void) { return alive > 1; }

static void **copy_locals(void **from) {
  const struct homi_thread_local *list = homi_thread_local_list;
  unsigned long i, count = 0;
  void **copies;
  while (list[count].variable) count++;
  if (!count) return 0;
  copies = malloc(count * sizeof *copies);
  for (i = 0; i < count; i++) {
    copies[i] = aligned_alloc(list[i].alignment, list[i].size);
    memcpy(copies[i], from[i], list[i].size);
  }
  return copies;
}

/* Main's are the program's own. */
static void drop_locals(struct thread *thread) {
  const struct homi_thread_local *list = homi_thread_local_list;
  unsigned long i;
  if (!thread->locals || thread == threads) return;
  for (i = 0; list[i].variable; i++) free(thread->locals[i]);
  free(thread->locals);
  thread->locals = 0;
}

/* In a child of a process with threads there is only the one that made it. */
void hk_only_this_thread(void) {
  int i;
  for (i = 0; i < THREADS; i++) {
    if (i == current) continue;
    drop_locals(&threads[i]);
    threads[i].condition = THREAD_NONE;
  }
  alive = 1;
  threads[current].id = last_id = hk.process;
}

/* Called before the program starts, when thread-local variables have their initial values. */
void hk_start_threads(void) {
  threads[0].id = last_id = hk.process;
  preemptions_left = homi_preemptions();
  explores_orders = preemptions_left != 0;
  threads[0].locals = homi_thread_locals;
  first_locals = copy_locals(homi_thread_locals);
}

static void resume(int next, int ended) {
  struct thread *from = &threads[current], *to = &threads[next];
  homi_thread_locals = to->locals;
  from->pointer = __homi_thread_pointer;
  from->signal_mask = hk_swap_signal_mask(to->signal_mask);
  __homi_thread_pointer = to->pointer;
  current = next;
  hk_watch();
  homi_thread_switch((unsigned long)(to->stack ? to->stack : next), ended);
}

static void preempt(void);
static long after_switch(void);

/* ---- ticks ---- */

static unsigned count_ready(void) {
  unsigned count = 0;
  int i;
  for (i = 0; i < used; i++) count += threads[i].condition == THREAD_READY;
  return count;
}

/* A tick: time has passed, timers go off, others run. What goes off may not come back here. */
static void tick(void) {
  hk_watch();
  hk.slept += TICK_TIME;
  hk_pass_processor_time(TICK_TIME);
  if (count_ready() <= 1) ticks_alike = 0;
  looks = 0;
  if (++ticks_alike == SPINS) homi_unsupported("threads that spin for each other");
  while (hk_ring_before(hk_clock())) {}
  hk_yield();
}

/* Requests the next tick of the path if another thread can run or a timer is set. */
void hk_watch(void) {
  homi_tick_after(tick, alive > 1 || hk_has_timer() ? TICK : 0);
  if (explores_orders) homi_preempt_by(alive > 1 && preemptions_left ? preempt : 0);
}

/* ---- orders ---- */

static void wake_due(uint64_t now);

/* The time of a sleeper passes while the others that could run do not. */
static void wake_before_others(struct thread *sleeper) {
  if (sleeper->wake_at > hk_clock()) hk.slept += sleeper->wake_at - hk_clock();
  wake_due(hk_clock());
  sleeper->condition = THREAD_READY;
}

/* One of the threads that can run, counted from the one after the current one on; the current one, if it can, is the last. Each
 * is a path of its own, and the symbolic object `thread_order` says which. Sleepers come behind them: to wake one first is a
 * preemption of the others. -1: the sleeper whose time comes first. */
static int choose_ready(void) {
  int ready[THREADS + 1], count = 0, awake, i, chosen;
  for (i = 1; i <= used; i++) {
    int candidate = (current + i) % used;
    if (threads[candidate].condition == THREAD_READY) ready[count++] = candidate;
  }
  awake = count;
  if (!awake) ready[count++] = -1;
  for (i = 1; preemptions_left && i <= used; i++) {
    int candidate = (current + i) % used;
    if (threads[candidate].condition == THREAD_SLEEPING && (awake || threads[candidate].wake_at != hk_first_time_out()))
      ready[count++] = candidate;
  }
  chosen = count == 1 ? ready[0] : ready[homi_concretize(hk_symbolic_range(0, count, "thread_order"))];
  if (chosen >= 0 && threads[chosen].condition == THREAD_SLEEPING) {
    if (threads[current].condition != THREAD_READY) preemptions_left--;
    wake_before_others(&threads[chosen]);
  }
  return chosen;
}

/* Preemption point at a synchronization of the program: any other thread may run instead of the current one. */
static void preempt(void) {
  int next = preemptions_left ? choose_ready() : current;
  if (next < 0 || next == current) return;
  preemptions_left--;
  threads[current].result = 0;
  resume(next, 0);
  after_switch();
}

/* ---- contexts: further call stacks of a thread ---- */

/* A new stack, which begins with `begin`; -1: there is none left. */
long __homi_stack_for(void (*begin)(void)) {
  int number = THREADS;
  while (number < STACKS && stack_used[number]) number++;
  if (number == STACKS) return -1;
  stack_used[number] = 1;
  homi_thread_start(begin, (unsigned long)number, 0);
  return number;
}

/* The stack on which the current thread runs. */
long __homi_this_stack(void) {
  const struct thread *self = &threads[current];
  return self->stack ? self->stack : current;
}

/* The current thread goes on on another stack; the one that it is on is gone if it has ended. */
void __homi_run_stack(long number, int ended) {
  struct thread *self = &threads[current];
  if (ended && self->stack) stack_used[self->stack] = 0;
  self->stack = number == current ? 0 : (int)number;
  homi_thread_switch((unsigned long)number, ended);
}

/* In the second prediction of a test threads run in another order: a new one at once, then the one before, and of two yields
 * one is none. What depends on the order differs between the predictions. */
static int is_another_order(void) { return !explores_orders && homi_variation() != 0; }

/* The next that can run after the current one, which comes last; -1: none. */
static int next_ready(void) {
  int i, is_other = is_another_order();
  if (explores_orders && threads[current].condition != THREAD_READY) return choose_ready();
  for (i = 1; i <= used; i++) {
    int candidate = (current + (is_other ? used - i : i)) % used;
    if (threads[candidate].condition == THREAD_READY) return candidate;
  }
  return -1;
}

/* Lets the time-outs pass that are due. */
static void wake_due(uint64_t now) {
  int i;
  for (i = 0; i < used; i++) {
    struct thread *thread = &threads[i];
    if (thread->condition < THREAD_WAITING || !thread->wake_at || thread->wake_at > now) continue;
    thread->result = thread->condition == THREAD_WAITING ? -ETIMEDOUT : 0;
    thread->condition = THREAD_READY;
  }
}

/* When the first time limit of a waiting thread ends; 0: never. */
uint64_t hk_first_time_out(void) {
  uint64_t first = 0;
  int i;
  for (i = 0; i < used; i++)
    if (threads[i].condition >= THREAD_WAITING && threads[i].wake_at && (!first || threads[i].wake_at < first))
      first = threads[i].wake_at;
  return first;
}

/* Handles events of a thread while it did not run: signals, a cancellation. Returns the result of the system call in which it waited. */
static long after_switch(void) {
  struct thread *self = &threads[current];
  long result = self->result;
  void (*call)(void) = self->when_it_runs;
  self->when_it_runs = 0;
  hk_deliver_pending();
  if (call) call();
  return result;
}

/* Runs the others until the current thread can go on; what its system call returns. */
static long schedule(int ended) {
  int next;
  uint64_t time_out;
  wake_due(hk_clock());
  while ((next = next_ready()) < 0) {
    if (hk_child_moves()) continue;
    time_out = hk_first_time_out();
    if (hk_ring_before(time_out ? time_out : ~(uint64_t)0)) {
      if (!ended && threads[current].condition >= THREAD_WAITING) {
        threads[current].condition = THREAD_READY;
        threads[current].result = -EINTR;
      }
      continue;
    }
    if (!time_out) klee_report_error(__FILE__, __LINE__, "deadlock: every thread waits for another", "deadlock.err");
    if (time_out > hk_clock()) hk.slept += time_out - hk_clock();
    wake_due(time_out);
  }
  if (next != current || ended) resume(next, ended);
  return after_switch();
}

static long wait_until(enum condition condition, const int *futex, uint64_t wake_at) {
  struct thread *self = &threads[current];
  ticks_alike = 0;
  self->condition = condition;
  self->futex = futex;
  self->wake_at = wake_at;
  self->result = 0;
  return schedule(0);
}

/* Lets the others run. Whether there was one that could. */
int hk_yield(void) {
  threads[current].result = 0;
  wake_due(hk_clock());
  if (next_ready() == current) return 0;
  schedule(0);
  return 1;
}

void hk_sched_yield(void) {
  static unsigned yields;
  if (!is_another_order() || ++yields % 2 == 0) hk_yield();
}

/* Something changed that a thread may wait for. */
void hk_change(void) { looks = 0; }

/* As `hk_yield` where a thread has not found what it waits for; 0 also when the others that could run have done so since
 * something changed, so that only time can help. */
int hk_look_again(void) {
  if (alive > 1 && ++looks > count_ready()) {
    looks = 0;
    return 0;
  }
  return hk_yield();
}

/* As `hk_yield`, for something that only another thread can bring about: sleepers and waiters count, too. */
int hk_wait_for_others(void) {
  uint64_t time_out;
  if (hk_yield()) return 1;
  time_out = hk_first_time_out();
  if (!time_out) return 0;
  if (time_out > hk_clock()) hk.slept += time_out - hk_clock();
  return hk_yield();
}

/* A thread spins for a lock that only another thread can release. */
void __homi_spin(void) {
  if (hk_wait_for_others() || hk_ring_before(~(uint64_t)0)) return;
  klee_report_error(__FILE__, __LINE__, "deadlock: a thread waits for a lock that nobody opens", "deadlock.err");
}

/* While others run. 0, or -EINTR when an alarm went off. */
long hk_thread_sleep(uint64_t deadline) { return wait_until(THREAD_SLEEPING, 0, deadline); }

/* ---- signals ---- */

static struct thread *with_id(int id) {
  int i;
  for (i = 0; i < used; i++)
    if (threads[i].condition != THREAD_NONE && threads[i].id == id) return &threads[i];
  return 0;
}

int hk_thread_lives(int id) { return with_id(id) != 0; }

/* One that has ended takes no signal. */
uint64_t hk_signal_mask_of(int id) {
  const struct thread *thread = with_id(id);
  return thread ? thread->signal_mask : ~(uint64_t)0;
}

/* Another thread than the current one that does not block the signal; 0: none. */
int hk_thread_that_accepts(uint64_t signal) {
  int i;
  for (i = 0; i < used; i++)
    if (i != current && threads[i].condition != THREAD_NONE && !(threads[i].signal_mask & signal)) return threads[i].id;
  return 0;
}

/* A thread that waits goes on; the system call of one that waits in a loop ends at the next look. */
void hk_interrupt(int id) {
  struct thread *thread = with_id(id);
  thread->interrupted = 1;
  if (thread->condition < THREAD_WAITING) return;
  thread->condition = THREAD_READY;
  thread->result = -EINTR;
}

/* True if the current thread was interrupted since the last look; a wait looks once before it begins. */
int hk_interrupted(void) {
  int was = threads[current].interrupted;
  threads[current].interrupted = 0;
  return was;
}

/* For pthread_cancel. */
long __homi_interrupt_thread(long id, void (*when_it_runs)(void)) {
  struct thread *thread = with_id((int)id);
  if (!thread) return -ESRCH;
  thread->when_it_runs = when_it_runs;
  hk_interrupt((int)id);
  return 0;
}

/* ---- birth and death ---- */

static void begin(void) {
  struct thread *self = &threads[current];
  self->function(self->argument);
  hk_end_thread(0);
}

/* The clone of musl's pthread_create: a thread that shares everything. */
long __homi_clone(int (*function)(void *), long flags, void *argument, int *parent, void *pointer, int *clear_at_exit) {
  struct thread *self;
  int number = 1;
  if (!(flags & CLONE_THREAD)) return hk_fork(56, (unsigned long)flags, 0);
  while (number < THREADS && threads[number].condition != THREAD_NONE) number++;
  if (number == THREADS) {
    homi_note_concretized("no more than 160 threads at a time");
    return -EAGAIN;
  }
  if (used <= number) used = number + 1;
  self = &threads[number];
  memset(self, 0, sizeof *self);
  self->condition = THREAD_READY;
  self->id = ++last_id;
  self->function = function;
  self->argument = argument;
  self->pointer = pointer;
  self->clear_at_exit = clear_at_exit;
  self->signal_mask = hk_swap_signal_mask(0);
  hk_swap_signal_mask(self->signal_mask);
  self->locals = copy_locals(first_locals);
  alive++;
  ticks_alike = looks = 0;
  int id = *parent = self->id;
  homi_thread_start(begin, (unsigned long)number, pointer);
  hk_watch();
  if (is_another_order()) {
    threads[current].result = 0;
    resume(number, 0);
    after_switch();
  }
  return id;
}

static long wake(const int *futex, long count) {
  long woken = 0;
  int i;
  for (i = 1; i <= used && woken < count; i++) {
    struct thread *thread = &threads[(current + i) % used];
    if (thread->condition != THREAD_WAITING || thread->futex != futex) continue;
    thread->condition = THREAD_READY;
    thread->result = 0;
    ticks_alike = looks = 0;
    woken++;
  }
  return woken;
}

long hk_set_tid_address(int *address) {
  threads[current].clear_at_exit = address;
  return hk_thread_id();
}

/* The exit of one thread; the process ends with its last. */
void hk_end_thread(long status) {
  struct thread *self = &threads[current];
  if (alive == 1) hk_exit((int)(status & 0xff));
  alive--;
  ticks_alike = looks = 0;
  if (self->clear_at_exit) {
    *self->clear_at_exit = 0;
    wake(self->clear_at_exit, 1);
  }
  drop_locals(self);
  self->condition = THREAD_NONE;
  schedule(1);
}

/* ---- futexes ---- */

long hk_futex(const int *futex, long operation, long value, const struct kernel_time *time_out, const int *other) {
  int command = (int)homi_concretize((unsigned long)operation) & FUTEX_COMMAND;
  uint64_t wake_at = 0, moved = 0;
  int i;
  if (hk_bad(futex)) return -EFAULT;
  switch (command) {
  case FUTEX_WAIT: case FUTEX_WAIT_BITSET:
    if ((int)homi_concretize((unsigned long)(*futex == (int)value)) == 0) return -EAGAIN;
    if (time_out) {
      long error;
      wake_at = hk_deadline_of(time_out, command != FUTEX_WAIT, &error);
      if (error) return error;
    }
    return wait_until(THREAD_WAITING, futex, wake_at);
  case FUTEX_WAKE: case FUTEX_WAKE_BITSET: return wake(futex, (int)homi_concretize((unsigned long)value));
  case FUTEX_REQUEUE: case FUTEX_CMP_REQUEUE: {
    long woken = wake(futex, (int)homi_concretize((unsigned long)value));
    /* The number to move takes the place of the time-out. */
    long most = (int)homi_concretize((unsigned long)time_out);
    for (i = 1; i <= used && (long)moved < most; i++) {
      struct thread *thread = &threads[(current + i) % used];
      if (thread->condition != THREAD_WAITING || thread->futex != futex) continue;
      thread->futex = other;
      moved++;
    }
    return woken + (command == FUTEX_CMP_REQUEUE ? (long)moved : 0);
  }
  default: return -ENOSYS;
  }
}
