/* Call stacks of an image: threads, jumps. */
#include "image.h"

#include "homi/engine.h"

enum { STACK = 256 << 10, MOST = 512 };

/* Where each stack continues: the stack pointer, below which the registers that calls keep lie; 0: none. */
static void *stacks[MOST];
static void *blocks[MOST];
static unsigned long running;

/* Saves registers and stack pointer, and goes on with the other stack. */
__attribute__((naked, noinline)) void homi_image_switch(void **from, void *to) {
  __asm__("push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\tmov %rsp,(%rdi)\n"
          "\tmov %rsi,%rsp\n\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret");
}

void homi_thread_start(void (*entry)(void), uint64_t number, const void *name) {
  void **top;
  (void)name;
  if (number >= MOST) image_end(END_GAP, 0, "more threads than there are stacks");
  if (!blocks[number]) blocks[number] = homi_malloc(STACK);
  if (!blocks[number]) image_end(END_GAP, 0, "no memory for a thread");
  /* Six registers, the entry, and the return address of the entry, which never returns; aligned as behind a call. */
  top = (void **)(((unsigned long)blocks[number] + STACK) & -16ul) - 1;
  *top = 0;
  *--top = (void *)entry;
  top -= 6;
  image_clear(top, 6 * sizeof *top);
  stacks[number] = top;
}

void homi_thread_switch(uint64_t number, int ended) {
  unsigned long from = running;
  (void)ended;
  if (number >= MOST || (!stacks[number] && number != from)) image_end(END_GAP, 0, "a thread that has no stack");
  if (number == from) return;
  running = number;
  homi_image_switch(&stacks[from], stacks[number]);
}

/* rbx, rbp, r12 to r15, the stack pointer after return and the return address. No signal mask is saved. */
#define SET_JUMP(name) \
  __attribute__((naked)) int name(void *buffer, int saves) { \
    __asm__("mov %rbx,(%rdi)\n\tmov %rbp,8(%rdi)\n\tmov %r12,16(%rdi)\n\tmov %r13,24(%rdi)\n\tmov %r14,32(%rdi)\n" \
            "\tmov %r15,40(%rdi)\n\tlea 8(%rsp),%rdx\n\tmov %rdx,48(%rdi)\n\tmov (%rsp),%rdx\n\tmov %rdx,56(%rdi)\n" \
            "\txor %eax,%eax\n\tret"); \
  }
#define LONG_JUMP(name) \
  __attribute__((naked)) void name(void *buffer, int value) { \
    __asm__("mov %esi,%eax\n\ttest %eax,%eax\n\tjnz 1f\n\tinc %eax\n1:\tmov (%rdi),%rbx\n\tmov 8(%rdi),%rbp\n" \
            "\tmov 16(%rdi),%r12\n\tmov 24(%rdi),%r13\n\tmov 32(%rdi),%r14\n\tmov 40(%rdi),%r15\n\tmov 48(%rdi),%rsp\n" \
            "\tjmp *56(%rdi)"); \
  }
SET_JUMP(setjmp)
SET_JUMP(_setjmp)
SET_JUMP(__setjmp)
SET_JUMP(sigsetjmp)
SET_JUMP(__sigsetjmp)
LONG_JUMP(longjmp)
LONG_JUMP(_longjmp)
LONG_JUMP(siglongjmp)
LONG_JUMP(__longjmp_chk)
LONG_JUMP(homi_long_jump)

int homi_set_jump_of_caller(void *buffer) { (void)buffer, image_end(END_GAP, 0, "contexts"); }
void homi_resume(void *buffer) { (void)buffer, image_end(END_GAP, 0, "contexts"); }

/* ---- constructors ---- */

typedef void constructor(int, char **, char **);
extern constructor *const __preinit_array_start[], *const __preinit_array_end[];
extern constructor *const __init_array_start[], *const __init_array_end[];
extern void (*const __fini_array_start[])(void), (*const __fini_array_end[])(void);

void __homi_run_constructors(int argc, char **argv, char **envp) {
  constructor *const *f;
  for (f = __preinit_array_start; f < __preinit_array_end; f++) (*f)(argc, argv, envp);
  for (f = __init_array_start; f < __init_array_end; f++) (*f)(argc, argv, envp);
}

void __homi_run_destructors(void) {
  void (*const *f)(void);
  for (f = __fini_array_end; f > __fini_array_start;) (*--f)();
}
