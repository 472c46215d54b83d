/* The modeled kernel under a native program: what `homi replay` preloads so that a test meets the files,
 * statistics, clock, user and failing calls that its path met in the engine.
 *
 * The kernel is the same C (runtime/kernel) that homi interprets, compiled into this shared object; here a
 * symbolic object is the test's object of that name and size. Right before main a seccomp filter makes every
 * system call on files, descriptors, time and identities arrive as SIGSYS, whose handler asks the kernel.
 * Memory, signals, threads' synchronisation and the end of the process stay the real kernel's, and so does
 * everything again once gcov writes its counts (homi_model_off). Calls of this object itself pass: the filter
 * knows the address of its only system call instruction.
 *
 * Environment: HOMI_MODEL_TEST (the .ktest file), HOMI_MODEL_ROOT (the run's directory, which the program sees),
 * HOMI_MODEL_DATA (further directories that it sees, a line each), HOMI_MODEL_HIDDEN (a directory in the root that it does
 * not see), HOMI_MODEL_IDS (uid euid gid egid), HOMI_MODEL_REPORT (the descriptor on which the model tells replay how far it
 * came, a line for each step), HOMI_MODEL_VARIATION (the number of a repeated run, which has another clock and other random
 * bytes). They and the other variables that replay needs are gone when main starts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "homi/engine.h"
#include "klee/klee.h"
#include "model.h"

#define EXPORTED __attribute__((visibility("default")))

extern const char homi_raw_end[];
__asm__(".text\n.globl homi_raw\n.hidden homi_raw\n.hidden homi_raw_end\n.globl homi_raw_end\n"
        "homi_raw:\n mov %rdi, %rax\n mov %rsi, %rdi\n mov %rdx, %rsi\n mov %rcx, %rdx\n mov %r8, %r10\n"
        " mov %r9, %r8\n mov 8(%rsp), %r9\n syscall\nhomi_raw_end:\n ret\n");

static long first_process;
static volatile int modelled;         /* the program is under the model */
static int is_modelled(void) { return modelled && !homi_reads_locale; }
static int forked;                    /* there may be real children to wait for */
static void *after_unsupported[5];    /* where homi_unsupported returns to */
static const char *gap_text;

/* ---- what means nothing natively ---- */

void klee_assume(uintptr_t condition) { (void)condition; }
void klee_warning_once(const char *message) { (void)message; }
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
unsigned long homi_concretize(unsigned long v) { return v; }
unsigned long homi_each_value(unsigned long v) { return v; }
void homi_note_concretized(const char *kind) { (void)kind; }
void homi_tick_after(void (*tick)(void), unsigned long instructions) { (void)tick, (void)instructions; }
int homi_predicts(void) { return 1; }
/* By how much this run differs from the first one of its test; 0: it is the first. */
static unsigned long variation;
unsigned long homi_variation(void) { return variation; }
unsigned long homi_preemptions(void) { return 0; }
void homi_preempt_by(void (*entry)(void)) { (void)entry; }
void homi_atomic_begin(void) {}
void homi_atomic_end(void) {}
/* Mappings are blocks here, and windows the bytes themselves. */
int homi_is_free(unsigned long address, unsigned long n) { return (void)n, address == 0; }
unsigned long homi_map(unsigned long address, unsigned long n) {
  unsigned long block = address ? 0 : (unsigned long)homi_calloc(1, n + 4096);
  return (block + 4095) & ~4095ul;
}
unsigned long homi_map_window(unsigned long address, unsigned long n, const void *bytes, unsigned long there) {
  (void)n, (void)there;
  return address ? 0 : (unsigned long)bytes;
}
void homi_unmap(unsigned long address, unsigned long n) { (void)address, (void)n; }
int homi_protect(unsigned long address, unsigned long n, int access) { return (void)address, (void)n, (void)access, 0; }
/* Bytes that go to the real kernel fail here, as all others do where they are used. */
void homi_require_room(const void *p, unsigned long n, int writing) {
  const volatile char *bytes = p;
  unsigned long i;
  if (writing) return;
  for (i = 0; i < n; i += 4096) (void)bytes[i];
  if (n) (void)bytes[n - 1];
}
void homi_copy(void *to, const void *from, unsigned long n) { memmove(to, from, n); }
void klee_mark_global(void *object) { (void)object; }
void homi_concretize_string(const char *s) { (void)s; }

/* ---- streams and the clock ---- */

/* A concrete standard input is not part of a test: there is none. */
long homi_stdin_read(void *buffer, unsigned long n, unsigned long offset) { return (void)buffer, (void)n, (void)offset, 0; }
/* A repeated run is some days, hours, minutes and seconds later. */
unsigned long homi_clock_ns(void) { return 1700000000000000000ul + variation * 123456789012345ul; }

static int report = -1; /* the descriptor on which the model tells replay */

static void tell(const char *line) {
  if (report >= 0) homi_raw(SYS_write, report, (long)line, (long)strlen(line), 0, 0, 0);
}

void homi_output(int stream, const void *buffer, unsigned long n) {
  if (stream == 3) {
    tell("file ");
    stream = report;
  }
  while (n > 0) {
    long count = homi_raw(SYS_write, stream, (long)buffer, (long)n, 0, 0, 0);
    if (count <= 0) return;
    buffer = (const char *)buffer + count;
    n -= (unsigned long)count;
  }
}

/* ---- the ends of paths in the engine ---- */

EXPORTED void homi_model_off(void);

/* Streams that the program leaves open are written at its exit, while files are still the model's. */
static void leave_model(void) {
  fflush(NULL);
  homi_model_off();
}

void homi_unsupported(const char *what) {
  gap_text = what;
  __builtin_longjmp(after_unsupported, 1);
}

/* The program's own exit is the real kernel's. This is for what the model ends, like an execve; coverage is written as ever. */
void homi_exit(int status) {
  const uint64_t open = (uint64_t)1 << (SIGSYS - 1);
  homi_raw(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&open, 0, 8, 0, 0);
  homi_model_off();
  _exit(status);
}

void homi_abort(void) { homi_unsupported("abort"); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)suffix;
  homi_output(2, message, strlen(message));
  homi_output(2, "\n", 1);
  homi_exit(98);
}

/* ---- threads: real ones, of which one at a time is in the kernel ---- */

static volatile int threaded;         /* there may be more than one */
static volatile int inside;           /* number of the thread that is in the kernel; 0: none */
static int entries;                   /* how often: a signal handler may come between */

static void enter_kernel(void) {
  int self;
  if (!threaded) return;
  self = (int)homi_raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
  while (inside != self && !__sync_bool_compare_and_swap(&inside, 0, self)) homi_raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  entries++;
}

static void leave_kernel(void) {
  /* The call that made a second thread possible did not enter. */
  if (inside && --entries == 0) __sync_lock_release(&inside);
}

/* A call whose pointers lead nowhere fails, as with the real kernel, where the model's code would end the process. */
enum { FAULTS = 2 };
static const int faults[FAULTS] = {SIGSEGV, SIGBUS};
static uint64_t fault_action[4]; /* as the system call has it */
static void *after_fault[5];         /* where it then returns to */
static long caller_id;               /* the thread whose call it is */

int hk_wait_for_others(void) {
  void *saved[5], *saved_fault[5];
  const long saved_id = caller_id;
  if (!threaded || entries != 1) return 0;
  memcpy(saved, after_unsupported, sizeof saved);
  memcpy(saved_fault, after_fault, sizeof saved_fault);
  leave_kernel();
  homi_raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  enter_kernel();
  memcpy(after_unsupported, saved, sizeof saved);
  memcpy(after_fault, saved_fault, sizeof saved_fault);
  caller_id = saved_id;
  return 1;
}

void hk_only_this_thread(void) {}
int hk_thread_id(void) { return (int)homi_raw(SYS_gettid, 0, 0, 0, 0, 0, 0); }

/* The system calls that these are for stay the real kernel's. */
void hk_start_threads(void) {}
void hk_sched_yield(void) {}
int hk_has_threads(void) { return 0; }
int hk_yield(void) { return 0; }
int hk_look_again(void) { return 0; }
void hk_change(void) {}
uint64_t hk_first_time_out(void) { return 0; }
long hk_thread_sleep(uint64_t deadline) { return (void)deadline, 0; }
int hk_thread_lives(int id) {
  return id > 0 && homi_raw(SYS_tgkill, homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0), id, 0, 0, 0, 0) == 0;
}
uint64_t hk_signal_mask_of(int id) { return (void)id, 0; }
int hk_thread_that_accepts(uint64_t signal) { return (void)signal, 0; }
void hk_interrupt(int id) { (void)id; }
long hk_set_tid_address(int *address) { return (void)address, -ENOSYS; }
void hk_end_thread(long status) { homi_raw(SYS_exit, status, 0, 0, 0, 0, 0); }
long hk_futex(const int *futex, long operation, long value, const void *time_out, const int *other) {
  return homi_raw(SYS_futex, (long)futex, operation, value, (long)time_out, (long)other, 0);
}

/* ---- signals are real ones ---- */

static const uint64_t sigsys_bit = (uint64_t)1 << (SIGSYS - 1);
/* Context of this thread's current call; null: outside of SIGSYS's handler. */
static __thread ucontext_t *caller __attribute__((tls_model("initial-exec")));
static unsigned long handlers;        /* that run, or will when the system call returns */
static int interrupted, may_restart;  /* whether there was one since the last look, and whether all of them let the call go on */
static int restarts;                  /* the call that ends now is made again */
/* The mask that this thread's call brought with it (ppoll, pselect, epoll_pwait), while it lasts. */
static __thread uint64_t mask_of_call __attribute__((tls_model("initial-exec")));
static __thread int call_has_mask __attribute__((tls_model("initial-exec")));

static uint64_t mask_of_caller(void) {
  uint64_t mask = 0;
  if (caller) memcpy(&mask, &caller->uc_sigmask, sizeof mask);
  return mask;
}

static void count_handler(long number) {
  uint64_t action[4] = {0}, mask = call_has_mask ? mask_of_call : mask_of_caller();
  if (mask >> (number - 1) & 1) return;
  homi_raw(SYS_rt_sigaction, number, 0, (long)action, 8, 0, 0);
  if (action[0] <= 1) return;
  handlers++;
  may_restart = (may_restart || !interrupted) && action[1] & SA_RESTART;
  interrupted = 1;
}

/* A call that waits ends for a handler to run, and is made again if that is what the handler's flags say. */
int hk_interrupted(void) {
  const int was = interrupted;
  restarts = was && may_restart;
  interrupted = 0;
  return was;
}

unsigned long hk_handled(void) { return handlers; }

/* A siginfo_t of the model's user. */
enum { INFORMATION = 32, OF_SIGNAL = 4 };
static void describe(int32_t *information, long number, int code, int who, uint64_t value) {
  memset(information, 0, INFORMATION * sizeof information[0]);
  information[0] = (int32_t)number;
  information[2] = code;
  if (code == SI_KERNEL) return;
  information[OF_SIGNAL] = who ? who : (int)homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
  information[OF_SIGNAL + 1] = (int32_t)homi_model_ids[0];
  memcpy(information + OF_SIGNAL + 2, &value, sizeof value);
}

/* This one comes when SIGSYS's handler returns. */
void hk_raise_about(long number, int code, int who, uint64_t value) {
  int32_t information[INFORMATION];
  const long process = homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0), thread = homi_raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
  count_handler(number);
  describe(information, number, code, who, value);
  if (homi_raw(SYS_rt_tgsigqueueinfo, process, thread, number, (long)information, 0, 0) < 0)
    homi_raw(SYS_tgkill, process, thread, number, 0, 0, 0);
}

long hk_raise(long number) {
  const int is_alarm = number == SIGALRM || number == SIGVTALRM || number == SIGPROF;
  hk_raise_about(number, is_alarm ? SI_KERNEL : SI_USER, 0, 0);
  return 0;
}

int hk_tells_signal(long number) {
  uint64_t action[4] = {0};
  homi_raw(SYS_rt_sigaction, number, 0, (long)action, 8, 0, 0);
  return action[1] & SA_SIGINFO || mask_of_caller() >> (number - 1) & 1;
}

int hk_timer_taken(int id);

/* The real kernel keeps the signal from now on, so the timer goes on at once. */
void hk_raise_timer(long number, int thread, int timer, uint64_t value) {
  const int32_t overrun = hk_timer_taken(timer);
  const long process = homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
  int32_t information[32] = {(int32_t)number, 0, SI_TIMER, 0, timer, overrun};
  memcpy(information + 6, &value, sizeof value);
  if (!thread) count_handler(number);
  if (thread) homi_raw(SYS_rt_tgsigqueueinfo, process, thread, number, (long)information, 0, 0);
  else homi_raw(SYS_rt_sigqueueinfo, process, number, (long)information, 0, 0, 0);
}

int hk_children_end_unseen(void) {
  uint64_t action[4] = {0};
  homi_raw(SYS_rt_sigaction, SIGCHLD, 0, (long)action, 8, 0, 0);
  return action[0] == 1 || (action[1] & SA_NOCLDWAIT);
}

uint64_t hk_pending_signals(void) {
  uint64_t set = 0;
  homi_raw(SYS_rt_sigpending, (long)&set, 8, 0, 0, 0, 0);
  return set;
}

/* Other signals wait than before: what edge-triggered epoll asks. */
uint64_t hk_waiting_signals(void) { return hk_pending_signals(); }

int hk_take_signal(uint64_t set, int32_t *information) {
  const struct timespec no_time = {0, 0};
  return homi_raw(SYS_rt_sigtimedwait, (long)&set, (long)information, (long)&no_time, 8, 0, 0) > 0;
}

/* Runs the handlers of signals that a call's mask unblocks, between two of our instructions. */
uint64_t hk_enter_mask(const uint64_t *set) {
  const uint64_t open = *set & ~sigsys_bit;
  void *saved_point[5];
  uint64_t saved, waiting = hk_pending_signals() & ~open;
  int number;
  memcpy(saved_point, after_unsupported, sizeof saved_point);
  for (number = 1; number <= 64; number++) {
    uint64_t action[4] = {0};
    if (!(waiting >> (number - 1) & 1)) continue;
    homi_raw(SYS_rt_sigaction, number, 0, (long)action, 8, 0, 0);
    handlers += action[0] > 1;
  }
  mask_of_call = open;
  call_has_mask = 1;
  homi_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&open, (long)&saved, 8, 0, 0);
  memcpy(after_unsupported, saved_point, sizeof saved_point);
  return saved;
}

void hk_leave_mask(uint64_t saved) {
  call_has_mask = 0;
  homi_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&saved, 0, 8, 0, 0);
}

/* ---- time that passes without calls ---- */

/* While an alarm or timer is set, the process gets a beat per BEAT ns of its CPU time. Beats without a call between them say
 * that the program computes: the modeled clock moves on, as ticks move it in the engine. It moves several times slower than the
 * engine's, counted in instructions, so that nothing goes off that would not go off there; faster once nothing else can come. */
enum { BEAT = 20000000, PER_BEAT = 200000000, BEATS_ALONE = 25, PER_LATE_BEAT = 2000000000 };

static int beat_timer = -1;
static volatile unsigned busy;           /* with calls */
static volatile unsigned long calls;     /* so far */
static unsigned long calls_at_beat, beats_alone;

void hk_watch(void) {
  const uint64_t event[8] = {0, SIGSYS}; /* sigev_value, sigev_signo and SIGEV_SIGNAL */
  const long on = hk_has_timer() ? BEAT : 0;
  const long beat[4] = {0, on, 0, on};
  if (beat_timer < 0 && !on) return;
  /* A second process has none of the first one's timers. */
  if (beat_timer >= 0 && homi_raw(SYS_timer_settime, beat_timer, 0, (long)beat, 0, 0, 0) == 0) return;
  if (on && homi_raw(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, (long)event, (long)&beat_timer, 0, 0, 0) == 0)
    homi_raw(SYS_timer_settime, beat_timer, 0, (long)beat, 0, 0, 0);
}

/* Signals raised here are delivered when SIGSYS's handler returns. */
static void on_beat(ucontext_t *context) {
  ucontext_t *outer = caller;
  if (!modelled || busy || threaded) return;
  if (calls != calls_at_beat) {
    calls_at_beat = calls;
    beats_alone = 0;
    return;
  }
  beats_alone++;
  caller = context;
  homi_model_pass(beats_alone > BEATS_ALONE ? PER_LATE_BEAT : PER_BEAT);
  caller = outer;
  /* No call has been interrupted. */
  hk_interrupted();
  if (!hk_has_timer()) hk_watch();
}

/* ---- system calls ---- */

/* The mask that holds when the handler returns; SIGSYS stays open. */
static long set_mask(ucontext_t *context, long number, const long *a) {
  const int how = (int)a[0];
  const uint64_t *set = (const uint64_t *)a[1];
  uint64_t *old = (uint64_t *)a[2];
  uint64_t now, wanted = 0;
  (void)number;
  if (a[3] != 8) return -EINVAL;
  memcpy(&now, &context->uc_sigmask, 8);
  if (set) memcpy(&wanted, set, 8);
  if (old) memcpy(old, &now, 8);
  if (!set) return 0;
  switch (how) {
  case SIG_BLOCK: now |= wanted; break;
  case SIG_UNBLOCK: now &= ~wanted; break;
  case SIG_SETMASK: now = wanted; break;
  default: return -EINVAL;
  }
  now &= ~sigsys_bit;
  memcpy(&context->uc_sigmask, &now, 8);
  return 0;
}

/* Handlers must not block SIGSYS either, and its own action is ours. */
static long set_action(ucontext_t *context, long number, const long *a) {
  const uint64_t *action = (const uint64_t *)a[1];
  uint64_t *old = (uint64_t *)a[2], copy[4];
  (void)context;
  if (a[0] == SIGSYS) {
    if (old) memset(old, 0, sizeof copy);
    return 0;
  }
  if (action) {
    memcpy(copy, action, sizeof copy); /* handler, flags, restorer, mask */
    copy[3] &= ~sigsys_bit;
    action = copy;
  }
  return homi_raw(number, a[0], (long)action, (long)old, a[3], 0, 0);
}

/* What maps no file's own bytes, like a device, is a copy. */
static long map_copy(long number, const long *a) {
  const long length = (a[1] + 4095) & ~4095L; /* pages are mapped as a whole */
  long at = homi_raw(number, a[0], a[1], a[2] | PROT_WRITE, (a[3] & ~(long)MAP_SHARED) | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long done = 0, count;
  if (at < 0 && at > -4096) return at;
  while (done < length && (count = homi_model_pread(a[4], (char *)at + done, (unsigned long)(length - done), a[5] + done)) > 0)
    done += count;
  if (!(a[2] & PROT_WRITE)) homi_raw(SYS_mprotect, at, a[1], a[2], 0, 0, 0);
  return at;
}

/* A descriptor that only reads gives mappings that cannot be made writable. */
static long reader_of(long file) {
  char path[40];
  snprintf(path, sizeof path, "/proc/self/fd/%ld", file);
  return homi_raw(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
}

static long map_file(ucontext_t *context, long number, const long *a) {
  long file, reader, at;
  (void)context;
  enter_kernel();
  file = homi_model_map(a[4], a[2], a[3]);
  leave_kernel();
  if (file == HOMI_MODEL_COPIED) return map_copy(number, a);
  if (file < 0) return file;
  reader = (a[3] & MAP_SHARED) && !homi_model_writes(a[4]) ? reader_of(file) : -1;
  at = homi_raw(number, a[0], a[1], a[2], a[3], reader < 0 ? file : reader, a[5]);
  if (reader >= 0) homi_raw(SYS_close, reader, 0, 0, 0, 0, 0);
  return at;
}

static long native(long number, const long *a) { return homi_raw(number, a[0], a[1], a[2], a[3], a[4], a[5]); }

/* Children are the model's, and alarms and timers on its clock: all of them stand still while the program waits for a real signal. */
static void ring_if_nothing_waits(uint64_t blocked) {
  unsigned long before = handlers;
  int rounds = 0;
  enter_kernel();
  while (!(hk_pending_signals() & ~blocked) && handlers == before && rounds++ < 64 &&
         (hk_child_moves() || hk_ring_before(~(uint64_t)0))) {}
  leave_kernel();
}

/* A call that waits: with the program's own mask, so that signals arrive. */
static long wait_really(ucontext_t *context, long number, const long *a) {
  uint64_t mine;
  long result;
  if (number == SYS_pause || number == SYS_rt_sigsuspend) {
    uint64_t mask = mask_of_caller();
    if (number == SYS_rt_sigsuspend) memcpy(&mask, (const void *)a[0], sizeof mask);
    mask &= ~sigsys_bit;
    ring_if_nothing_waits(mask);
    return homi_raw(SYS_rt_sigsuspend, (long)&mask, 8, 0, 0, 0, 0);
  }
  homi_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&context->uc_sigmask, (long)&mine, 8, 0, 0);
  result = native(number, a);
  homi_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mine, 0, 8, 0, 0);
  return result;
}

static void on_fault(int signal_number, siginfo_t *information, void *where) {
  const uint64_t standard[4] = {0};
  (void)information, (void)where;
  if (homi_raw(SYS_gettid, 0, 0, 0, 0, 0, 0) == caller_id) __builtin_longjmp(after_fault, 1);
  /* Another thread's own, which comes again. */
  homi_raw(SYS_rt_sigaction, signal_number, (long)standard, 0, 8, 0, 0);
}

static void prepare_for_faults(void) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
  homi_raw(SYS_rt_sigaction, SIGSEGV, 0, (long)fault_action, 8, 0, 0);
  sigaction(SIGSEGV, &before, NULL);
}

__attribute__((noinline)) static long call_or_fault(long number, const long *a) {
  if (__builtin_setjmp(after_fault)) return -EFAULT;
  return homi_model_call(number, a);
}

static long guarded_call(long number, const long *a) {
  uint64_t before[FAULTS][4], set = 0, mask;
  void *outer[5]; /* of the call in whose handler of a signal this one is */
  long result;
  int i;
  memcpy(outer, after_fault, sizeof outer);
  for (i = 0; i < FAULTS; i++) {
    homi_raw(SYS_rt_sigaction, faults[i], (long)fault_action, (long)before[i], 8, 0, 0);
    set |= (uint64_t)1 << (faults[i] - 1);
  }
  caller_id = homi_raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
  homi_raw(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&set, (long)&mask, 8, 0, 0);
  result = call_or_fault(number, a);
  homi_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8, 0, 0);
  for (i = 0; i < FAULTS; i++) homi_raw(SYS_rt_sigaction, faults[i], (long)before[i], 0, 8, 0, 0);
  memcpy(after_fault, outer, sizeof outer);
  return result;
}

static long modelled_call(long number, const long *a) {
  const unsigned outer = busy;
  long result;
  calls++;
  busy = outer + 1;
  enter_kernel();
  if (__builtin_setjmp(after_unsupported) == 0)
    result = guarded_call(number, a);
  else
    result = strncmp(gap_text, "syscall ", 8) == 0 ? native(number, a) : -ENOSYS;
  leave_kernel();
  busy = outer;
  if (threaded && (number == SYS_nanosleep || number == SYS_clock_nanosleep)) {
    /* On the model's clock it is over; others get their turn as in the engine. */
    const struct timespec moment = {0, 1000000};
    homi_raw(SYS_nanosleep, (long)&moment, 0, 0, 0, 0, 0);
  }
  return result;
}

/* Starts a real second process as fork, vfork, clone or clone3 ask for. It has its own copy of the memory, whatever they say, so that none
 * of them has to wait; its number and its stack are as asked. */
static long start_process(ucontext_t *context, long number, const long *a) {
  enum { KEPT = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID };
  uint64_t extended[8] = {0};
  long flags = SIGCHLD, id_at = 0, stack = 0, process;
  if (number == SYS_clone) {
    flags |= a[0] & KEPT;
    stack = a[1];
    id_at = a[3];
  } else if (number == SYS_clone3) {
    memcpy(extended, (const void *)a[0], sizeof extended);
    flags |= (long)extended[0] & KEPT;
    id_at = (long)extended[2];
    stack = extended[5] ? (long)(extended[5] + extended[6]) : 0;
  }
  /* On the stack of this handler, which the copy has, too; the program's own is in its context. */
  process = homi_raw(SYS_clone, flags, 0, 0, id_at, 0, 0);
  if (process == 0 && stack) context->uc_mcontext.gregs[REG_RSP] = stack;
  return process;
}

/* The path is the child's: a second process goes on, with a number of its own, and this one only waits for it and ends as it does. */
static long become_child(ucontext_t *context, long number, const long *a) {
  const long action[4] = {0};
  const uint64_t none = 0;
  int status = 0, signal_number;
  long process = start_process(context, number, a), found;
  if (process == 0) {
    homi_raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    homi_model_process((int)homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0));
  }
  if (process <= 0) return process;
  do
    found = homi_raw(SYS_wait4, process, (long)&status, 0, 0, 0, 0);
  while (found == -EINTR);
  if (found < 0 || !WIFSIGNALED(status)) homi_raw(SYS_exit_group, WEXITSTATUS(status), 0, 0, 0, 0, 0);
  signal_number = WTERMSIG(status);
  homi_raw(SYS_rt_sigaction, signal_number, (long)action, 0, 8, 0, 0);
  homi_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, 8, 0, 0);
  homi_raw(SYS_kill, homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0), signal_number, 0, 0, 0, 0);
  for (;;) homi_raw(SYS_exit_group, 128 + signal_number, 0, 0, 0, 0, 0);
}

/* A fork that the test's path met goes on as it did there. One that it did not meet, or of a test that is not homi's, is real: the second
 * process has its own copy of the kernel. Threads come by clone, which the filter lets through once clone3 is refused. */
static long fork_as_tested(ucontext_t *context, long number, const long *a) {
  long process;
  if (number == SYS_clone3 && a[0] && (*(const uint64_t *)a[0] & CLONE_THREAD)) {
    threaded = 1;
    return -ENOSYS;
  }
  if (!homi_model_has_object("fork", sizeof(int))) {
    forked = 1;
    return start_process(context, number, a);
  }
  process = modelled_call(number, a);
  return process == 0 ? become_child(context, number, a) : process;
}

/* Numbers of modeled children, and of the groups that they may lead. */
static int is_modelled_child(long process) {
  return (int)process > HOMI_MODEL_LAST_PROCESS || (int)process < -HOMI_MODEL_LAST_PROCESS;
}

/* The real kernel decides which signals are pending; the model's clock decides that a time limit expires. */
static long wait_for_signal(ucontext_t *context, long number, const long *a) {
  const struct timespec no_time = {0, 0};
  const long look[6] = {a[0], a[1], (long)&no_time, a[3]};
  const int other = 0;
  /* A futex with another value waits for nothing, but has its time looked at. */
  long found = a[2] ? homi_raw(SYS_futex, (long)&other, FUTEX_WAIT_PRIVATE, 1, a[2], 0, 0) : -EAGAIN;
  if (found != -EAGAIN) return found;
  found = native(number, look);
  if (found != -EAGAIN) return found;
  if (!a[2]) {
    uint64_t set;
    memcpy(&set, (const void *)a[0], sizeof set);
    ring_if_nothing_waits(~set);
    return wait_really(context, number, a);
  }
  found = modelled_call(number, a);
  return found == -EAGAIN ? native(number, look) : found;
}

static long wait_for_child(ucontext_t *context, long number, const long *a) {
  return forked ? wait_really(context, number, a) : modelled_call(number, a);
}

static int is_signal(long number) { return number >= 1 && number <= 64; }

/* The real kernel would tell the sandbox's user. It takes the model's only from the thread that the signal is for, or for the
 * process from its first thread. */
static long kill_process(ucontext_t *context, long number, const long *a) {
  int32_t information[INFORMATION];
  (void)context;
  if (is_modelled_child(a[0])) return modelled_call(number, a);
  if (!is_signal(a[1]) || (int)a[0] != homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0)) return native(number, a);
  describe(information, a[1], SI_USER, 0, 0);
  return homi_raw(SYS_rt_sigqueueinfo, a[0], a[1], (long)information, 0, 0, 0) < 0 ? native(number, a) : 0;
}

static long kill_thread(ucontext_t *context, long number, const long *a) {
  const long process = homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
  const long thread = number == SYS_tgkill ? a[1] : a[0], signal_number = number == SYS_tgkill ? a[2] : a[1];
  int32_t information[INFORMATION];
  (void)context;
  if (!is_signal(signal_number) || (number == SYS_tgkill && (int)a[0] != process)) return native(number, a);
  describe(information, signal_number, SI_TKILL, 0, 0);
  return homi_raw(SYS_rt_tgsigqueueinfo, process, thread, signal_number, (long)information, 0, 0) < 0 ? native(number, a) : 0;
}

/* The first process tells what it leaves. */
static long end_process(ucontext_t *context, long number, const long *a) {
  (void)context;
  if (report >= 0 && homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0) == first_process) {
    enter_kernel();
    if (__builtin_setjmp(after_unsupported) == 0) hk_report_files();
    leave_kernel();
  }
  return native(number, a);
}

#define ANSWER_REAL native(number, a)
#define ANSWER_MODEL is_modelled() ? modelled_call(number, a) : native(number, a)
#define ANSWER_OWN(function) is_modelled() ? function(context, number, a) : native(number, a)
#define ANSWER_ALWAYS(function) function(context, number, a)

static long answer(ucontext_t *context, long number, const long *a) {
  switch (number) {
#define SYSCALL(number_of_row, name, family, replay, ...) \
  case number_of_row: return ANSWER_##replay;
#include "calls.h"
  default: return ANSWER_MODEL;
  }
}

static void on_call(int signal_number, siginfo_t *information, void *where) {
  ucontext_t *context = where;
  greg_t *r = context->uc_mcontext.gregs;
  const long a[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
  ucontext_t *outer = caller; /* of the call in whose handler of a signal this one is */
  const int outer_has_mask = call_has_mask;
  (void)signal_number;
  if (information->si_code == SI_TIMER) {
    on_beat(context);
    return;
  }
  calls++;
  caller = context;
  call_has_mask = 0;
  restarts = 0;
  r[REG_RAX] = answer(context, information->si_syscall, a);
  if (r[REG_RAX] == -EINTR && restarts) {
    r[REG_RIP] -= 2; /* the length of `syscall` */
    r[REG_RAX] = information->si_syscall;
  }
  caller = outer;
  call_has_mask = outer_has_mask;
}

/* The clock is also read without a system call. */
static int with_errno(long result) {
  if (result >= 0) return (int)result;
  errno = (int)-result;
  return -1;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *result) {
  const long a[6] = {clock, (long)result};
  return with_errno(modelled ? modelled_call(SYS_clock_gettime, a) : native(SYS_clock_gettime, a));
}

EXPORTED int gettimeofday(struct timeval *result, void *zone) {
  const long a[6] = {(long)result, (long)zone};
  return with_errno(modelled ? modelled_call(SYS_gettimeofday, a) : native(SYS_gettimeofday, a));
}

EXPORTED time_t time(time_t *result) {
  const long a[6] = {(long)result};
  return modelled ? modelled_call(SYS_time, a) : native(SYS_time, a);
}

/* ---- start and end ---- */

/* Calls that the real kernel handles. */
#define IF_REAL(number) number,
#define UNLESS_REAL(number)
#define FILTER_REAL IF_REAL
#define FILTER_MODEL UNLESS_REAL
#define FILTER_OWN(function) UNLESS_REAL
#define FILTER_ALWAYS(function) UNLESS_REAL
static const short real_calls[] = {
#define SYSCALL(number, name, family, replay, ...) FILTER_##replay(number)
#include "calls.h"
};

enum { REAL_CALLS = sizeof real_calls / sizeof real_calls[0], FILTER_LENGTH = REAL_CALLS + 24, CLONE_A_THREAD = 0x10000 };

static int install_filter(void) {
  struct sock_filter code[FILTER_LENGTH];
  struct sock_fprog program = {0, code};
  uintptr_t own = (uintptr_t)homi_raw_end;
  unsigned n = 0, i;
  const unsigned ip = offsetof(struct seccomp_data, instruction_pointer);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip);
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 3);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4);
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 0, 1);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_A_THREAD, 0, 1);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (i = 0; i < REAL_CALLS; i++)
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)real_calls[i], (uint8_t)(REAL_CALLS - i + 3), 0);
  /* A mapping without a file is memory. */
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3]));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 1, 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  program.len = (unsigned short)n;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* From here on all calls are the real kernel's: gcov writes its counts. */
EXPORTED void homi_model_off(void) { modelled = 0; }

/* AddressSanitizer's runtime calls this, when it is a library, before a report: it reads real files for it. */
EXPORTED void __asan_on_error(void) { homi_model_off(); }

static int is_replays_own(const char *variable) {
  static const char *const names[] = {"HOMI_MODEL_", "HOMI_GCOV_DUMP=", "HOMI_COVERAGE_FILE=", "LD_PRELOAD=", "LD_AUDIT=", "HOMI_CALLS=", "GCOV_PREFIX",
                                      "GCOV_ERROR_FILE=", "ASAN_OPTIONS=", "MSAN_OPTIONS=", "TSAN_OPTIONS="};
  unsigned i;
  for (i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(variable, names[i], strlen(names[i])) == 0) return 1;
  return variation && strncmp(variable, "MALLOC_PERTURB_=", 16) == 0;
}

static void hide_variables(char **envp) {
  char **to = envp;
  for (; *envp; envp++)
    if (!is_replays_own(*envp)) *to++ = *envp;
  *to = NULL;
}

static const char *copied(const char *text) {
  char *copy = homi_malloc(strlen(text) + 1);
  return strcpy(copy, text);
}

/* ---- reports to replay, so that it does not mistake a run without the model for a run with it ---- */

__attribute__((constructor)) static void say_loaded(void) {
  const char *descriptor = getenv("HOMI_MODEL_REPORT");
  if (descriptor) report = atoi(descriptor);
  tell("loaded\n");
}

static void stop_telling(void) {
  if (report >= 0) homi_raw(SYS_close, report, 0, 0, 0, 0, 0);
  report = -1;
}

/* The program continues without the model; replay gets the reason. */
static void give_up(const char *why) {
  tell("failed: ");
  tell(why);
  tell("\n");
  stop_telling();
}

static void start_model(char **envp) {
  const char *test = getenv("HOMI_MODEL_TEST"), *identity = getenv("HOMI_MODEL_IDS");
  const char *root = getenv("HOMI_MODEL_ROOT");
  unsigned *ids = homi_model_ids;
  struct sigaction action;
  if (!test || !identity || !root || sscanf(identity, "%u %u %u %u", &ids[0], &ids[1], &ids[2], &ids[3]) != 4) {
    give_up("its variables are not in the environment");
    return;
  }
  if (!homi_model_has_memory()) {
    give_up("no memory for it");
    return;
  }
  homi_model_root = copied(root);
  if (getenv("HOMI_MODEL_VARIATION")) variation = strtoul(getenv("HOMI_MODEL_VARIATION"), NULL, 10);
  if (getenv("HOMI_MODEL_DATA")) homi_model_data = copied(getenv("HOMI_MODEL_DATA"));
  if (getenv("HOMI_MODEL_HIDDEN")) homi_model_hidden = copied(getenv("HOMI_MODEL_HIDDEN"));
  if (!homi_model_read_test(test)) {
    give_up("it cannot read the test");
    return;
  }
  hide_variables(envp);
  if (__builtin_setjmp(after_unsupported)) {
    give_up(gap_text ? gap_text : "it met a gap");
    return;
  }
  homi_model_start(homi_model_argument_count, homi_model_arguments);
  homi_model_process((int)homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0));
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(SIGSYS, &action, NULL);
  prepare_for_faults();
  atexit(leave_model); /* runs after all the program's own */
  modelled = 1;
  if (!install_filter()) {
    modelled = 0;
    give_up("the system call filter was refused");
    return;
  }
  tell("running\n");
  first_process = homi_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
  if (report >= 0) homi_raw(SYS_fcntl, report, F_SETFD, FD_CLOEXEC, 0, 0, 0);
}

typedef int main_function(int, char **, char **);
static main_function *program_main;

static int main_under_model(int argc, char **argv, char **envp) {
  start_model(envp);
  return program_main(argc, argv, envp);
}

EXPORTED int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void), void (*fini)(void),
                               void (*loader_fini)(void), void *stack_end) {
  typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  start_function *next = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = function;
  return next(main_under_model, argc, argv, init, fini, loader_fini, stack_end);
}
