// Handlers of SIGSEGV that open a page, jump out, or end the program, as collectors and interpreters have them.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static char *heap;
static long page;
static volatile int opened, mode;
static sigjmp_buf out;

static void on_fault(int signal, siginfo_t *info, void *context) {
  char *at = info->si_addr;
  if (at < heap || at >= heap + 4 * page) _exit(70);
  if (mode == 1) siglongjmp(out, 5);
  if (mode == 2) _exit(60);
  opened++;
  if (mprotect((char *)((uintptr_t)at & ~(uintptr_t)(page - 1)), page, PROT_READ | PROT_WRITE)) _exit(71);
}

int main(void) {
  unsigned char in;
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  take(&in, 1);
  page = sysconf(_SC_PAGESIZE);
  heap = mmap(0, 4 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (heap == MAP_FAILED || sigaction(SIGSEGV, &action, 0)) return 90;
  mode = in >> 6;
  int jumped = sigsetjmp(out, 1);
  if (jumped) return 40 + jumped + opened;
  /* A write barrier: the first write to a page opens it. */
  for (int i = 0; i < (in & 3); i++) heap[i * page] = 1, heap[i * page + 1] = 2;
  return opened;
}
