/* Injected failures (--max-fail N): for each kind of call a symbolic number says which call fails. */
#include "internal.h"

void hk_make_failures(int count) {
  static const char *const names[FAILURE_KINDS] = {"read_fail", "write_fail", "close_fail", "ftruncate_fail",
                                                   "getcwd_fail"};
  int kind;
  hk.failures_left = count;
  if (count == 0) return;
  for (kind = 0; kind < FAILURE_KINDS; kind++) {
    hk.failure_at[kind] = malloc(sizeof(int));
    klee_make_symbolic(hk.failure_at[kind], sizeof(int), names[kind]);
  }
}

/* Counts a call, from 1. */
int hk_count_call(enum failure kind) { return hk.failures_left ? ++hk.failure_calls[kind] : 0; }

/* True if this call fails; forks. */
int hk_fails(enum failure kind, int call) {
  if (hk.failures_left == 0 || !hk_decide(*hk.failure_at[kind] == call)) return 0;
  hk.failures_left--;
  return 1;
}
