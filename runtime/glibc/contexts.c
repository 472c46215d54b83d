/* Contexts: getcontext, setcontext, makecontext, swapcontext. Each context that a program makes has a call stack of
 * the engine's own; the memory that the program gives as its stack is not used.
 *
 * A saved context is a jump target on the stack on which it was saved. A call that resumes it
 * switches to that stack, which then jumps. */
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

int homi_set_jump_of_caller(void *buffer);
_Noreturn void homi_resume(void *buffer);
_Noreturn void homi_unsupported(const char *what);
long __homi_stack_for(void (*begin)(void));
long __homi_this_stack(void);
void __homi_run_stack(long number, int ended);

enum { MADE = 1, SAVED, MOST_ARGUMENTS = 8 };

/* Lies where a real context has its registers. */
struct saved {
  unsigned long place; /* what a jump needs */
  long stack;
  unsigned long state, count;
  void (*function)(void);
  unsigned long arguments[MOST_ARGUMENTS];
};
_Static_assert(sizeof(struct saved) <= sizeof(mcontext_t), "a context has room for what is saved");

static struct saved *saved_in(const ucontext_t *context) { return (struct saved *)&context->uc_mcontext; }

/* Context that the target stack continues with: a saved context, or a new one. */
static const ucontext_t *next;

static void fill(ucontext_t *context) {
  struct saved *saved = saved_in(context);
  saved->state = SAVED;
  saved->stack = __homi_this_stack();
  sigprocmask(SIG_SETMASK, 0, &context->uc_sigmask);
}

static _Noreturn void go_on(void) {
  const ucontext_t *context = next;
  sigprocmask(SIG_SETMASK, &context->uc_sigmask, 0);
  homi_resume(saved_in(context));
}

static _Noreturn void leave_for(const ucontext_t *context, int ended);

static void call(const struct saved *saved) {
  const unsigned long *a = saved->arguments;
  switch (saved->count) {
  case 0: saved->function(); break;
  case 1: ((void (*)(unsigned long))saved->function)(a[0]); break;
  case 2: ((void (*)(unsigned long, unsigned long))saved->function)(a[0], a[1]); break;
  case 3: ((void (*)(unsigned long, unsigned long, unsigned long))saved->function)(a[0], a[1], a[2]); break;
  case 4:
    ((void (*)(unsigned long, unsigned long, unsigned long, unsigned long))saved->function)(a[0], a[1], a[2], a[3]);
    break;
  default:
    ((void (*)(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long,
               unsigned long))saved->function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  }
}

/* The first function of a stack. */
static void begin(void) {
  const ucontext_t *context = next;
  const struct saved saved = *saved_in(context);
  sigprocmask(SIG_SETMASK, &context->uc_sigmask, 0);
  call(&saved);
  if (!context->uc_link) exit(0);
  leave_for(context->uc_link, 1);
}

/* Goes on with another context; the stack of the current one is gone if it has ended. */
static _Noreturn void leave_for(const ucontext_t *context, int ended) {
  struct saved *saved = saved_in(context);
  if (saved->state == MADE) {
    long number = __homi_stack_for(begin);
    if (number < 0) homi_unsupported("more contexts than there are stacks");
    saved->stack = number;
    saved->state = SAVED;
  } else if (saved->state != SAVED) {
    homi_unsupported("a context that nobody saved");
  }
  next = context;
  if (saved->stack != __homi_this_stack()) __homi_run_stack(saved->stack, ended);
  go_on();
}

int getcontext(ucontext_t *context) {
  fill(context);
  return homi_set_jump_of_caller(saved_in(context));
}

int setcontext(const ucontext_t *context) { leave_for(context, 0); }

int swapcontext(ucontext_t *restrict from, const ucontext_t *restrict to) {
  fill(from);
  homi_set_jump_of_caller(saved_in(from));
  leave_for(to, 0);
}

void makecontext(ucontext_t *context, void (*function)(void), int count, ...) {
  struct saved *saved = saved_in(context);
  __builtin_va_list list;
  int i;
  if (count > MOST_ARGUMENTS) homi_unsupported("makecontext with more than eight arguments");
  saved->state = MADE;
  saved->function = function;
  saved->count = (unsigned long)count;
  __builtin_va_start(list, count);
  for (i = 0; i < count; i++) saved->arguments[i] = __builtin_va_arg(list, unsigned long);
  __builtin_va_end(list);
}
