/* Keeps gcov's counts when a program does not end by exit(): crashes, abort, _exit, kills and timeouts.
 *
 * libgcov writes a program's counts in a destructor, so only exit() and a return from main() save them. This
 * object writes them from handlers of all signals that would end the program, from _exit, _Exit and
 * quick_exit, and when `homi replay` sends FLUSH_SIGNAL before it kills at the time limit. The program's own
 * handlers stay in force; where it asks for the default action it gets ours, which writes the counts and
 * then dies of the same signal.
 *
 * Two ways to use it:
 *   - `homi replay` compiles it as a shared object and preloads it. libgcov's functions are hidden in the
 *     executable, so homi reads their addresses from its symbol table and passes them in HOMI_GCOV_DUMP,
 *     "DEVICE INODE DUMP ROOT" (decimal, decimal, hexadecimal, hexadecimal): the executable it is meant for,
 *     and the addresses of __gcov_dump_one and __gcov_root. In any other program it does nothing.
 *   - For stripped or static executables: link it in, compiled with -DHOMI_GCOV_LINKED.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FLUSH_SIGNAL 63

extern char **environ;

static int active;
static volatile sig_atomic_t dumped;

/* libgcov finds its directory through the environment, which a program may have emptied. */
static char prefix[4200] = "GCOV_PREFIX=";
static char *own_environment[] = {prefix, "GCOV_PREFIX_STRIP=0", "GCOV_ERROR_FILE=/dev/null", NULL};

static const int ending_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,    SIGFPE,
                                     SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU,
                                     SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS, FLUSH_SIGNAL};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

#ifdef HOMI_GCOV_LINKED
extern void __gcov_dump(void);
static void write_counts(void) { __gcov_dump(); }
#else
static void (*dump_one)(void *);
static void *root;
static void write_counts(void) { dump_one(root); }
#endif

/* With the modeled kernel preloaded too: from here on files are the real ones. */
extern void homi_model_off(void) __attribute__((weak));

static void restore_environment(void) {
  if (homi_model_off) homi_model_off();
  if (active && prefix[sizeof "GCOV_PREFIX=" - 1]) environ = own_environment;
}

/* At exit, streams that the program leaves open are written before. */
static void leave(void) {
  fflush(NULL);
  restore_environment();
}

/* Once: a second call, out of a crash while writing, must not start again. */
static void dump(void) {
  if (!active || dumped) return;
  dumped = 1;
  restore_environment();
  write_counts();
}

/* The kernel's own call: nothing of ours in between, whatever the program has interposed. */
static int set_action(int number, const struct sigaction *action, struct sigaction *old) {
  static int (*next)(int, const struct sigaction *, struct sigaction *);
  if (!next) next = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(RTLD_NEXT, "sigaction");
  return next(number, action, old);
}

static void on_signal(int number) {
  struct sigaction standard;
  dump();
  if (number == FLUSH_SIGNAL) number = SIGKILL;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  if (number != SIGKILL) set_action(number, &standard, NULL);
  /* Pending until this handler returns; a fault would also just happen again. */
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

static int is_ending(int number) {
  int i;
  for (i = 0; i < ENDING_SIGNALS; i++)
    if (ending_signals[i] == number) return 1;
  return 0;
}

static void install(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  set_action(number, &action, NULL);
}

/* ---- what the program calls ---- */

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  struct sigaction ours;
  int result;
  if (!active || !is_ending(number)) return set_action(number, action, old);
  if (action && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL) {
    ours = *action;
    ours.sa_handler = on_signal;
    ours.sa_flags |= SA_ONSTACK;
    action = &ours;
  }
  result = set_action(number, action, old);
  if (result == 0 && old && !(old->sa_flags & SA_SIGINFO) && old->sa_handler == on_signal) {
    memset(old, 0, sizeof *old);
    old->sa_handler = SIG_DFL;
  }
  return result;
}

sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaddset(&action.sa_mask, number);
  if (sigaction(number, &action, &old)) return SIG_ERR;
  return old.sa_handler;
}

__attribute__((noreturn)) void _exit(int status) {
  dump();
  for (;;) syscall(SYS_exit_group, status);
}

__attribute__((noreturn)) void _Exit(int status) { _exit(status); }

/* ---- start ---- */

static void begin(void) {
  static char stack[1 << 16];
  stack_t alternative;
  const char *directory = getenv("GCOV_PREFIX");
  int i;
  if (directory && strlen(directory) < sizeof prefix - sizeof "GCOV_PREFIX=") strcat(prefix, directory);
  /* A stack overflow leaves no room on the stack. */
  memset(&alternative, 0, sizeof alternative);
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, NULL);
  for (i = 0; i < ENDING_SIGNALS; i++) {
    struct sigaction old;
    /* One that the program inherits as ignored stays ignored. */
    if (set_action(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) install(ending_signals[i]);
  }
  active = 1;
}

/* Runs after the program's own handlers of exit() and quick_exit(). */
static void at_end(void) {
  atexit(leave);
  at_quick_exit(dump);
}

#ifdef HOMI_GCOV_LINKED

__attribute__((constructor)) static void start(void) {
  begin();
  at_end();
}

#else

static int executable_base(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  *(unsigned long *)base = info->dlpi_addr;
  return 1; /* the first one is the executable */
}

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("HOMI_GCOV_DUMP");
  unsigned long device, inode, dump_address, root_address, base = 0;
  struct stat self;
  if (!text || sscanf(text, "%lu %lu %lx %lx", &device, &inode, &dump_address, &root_address) != 4) return;
  if (stat("/proc/self/exe", &self) || self.st_dev != device || self.st_ino != inode) return;
  dl_iterate_phdr(executable_base, &base);
  dump_one = (void (*)(void *))(base + dump_address);
  root = (void *)(base + root_address);
  begin();
}

typedef int main_function(int, char **, char **);
static main_function *program_main;

static int main_with_handlers(int argc, char **argv, char **envp) {
  at_end();
  return program_main(argc, argv, envp);
}

/* The handlers of at_end must be the first that the program registers, hence after libc's own. */
int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
  typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  start_function *next = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = function;
  return next(main_with_handlers, argc, argv, init, fini, loader_fini, stack_end);
}

#endif
