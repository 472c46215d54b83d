/* The functions of the competitions SV-COMP and Test-Comp, by which their programs get inputs: programs only declare
 * them. The engine has them in its runtime, and native replays link this file.
 *
 * All of them are weak, so a program that defines one keeps its own. The name of an object is the end of its
 * function's name, by which the test suites of Test-Comp tell its type. */
#if !__STDC_HOSTED__
#include "homi/engine.h"
#endif
#include "klee/klee.h"

#define WEAK __attribute__((weak))
#define NONDET(name, type)                           \
  WEAK type __VERIFIER_nondet_##name(void) {         \
    type value;                                      \
    klee_make_symbolic(&value, sizeof value, #name); \
    return value;                                    \
  }

NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(unsigned_char, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned int)
NONDET(unsigned, unsigned int)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
#ifdef __SIZEOF_INT128__
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
#endif
NONDET(size_t, size_t)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned int)
NONDET(U32, unsigned int)
NONDET(u64, unsigned long long)
NONDET(S8, signed char)
NONDET(S16, short)
NONDET(S32, int)
NONDET(S64, long long)
NONDET(float, float)
NONDET(double, double)

/* Bits of a truth value beyond the lowest would be no truth value. */
WEAK _Bool __VERIFIER_nondet_bool(void) {
  unsigned char value;
  klee_make_symbolic(&value, sizeof value, "bool");
  return value & 1;
}

/* Numbers as pointers: an access by one is an error of the program. */
WEAK void *__VERIFIER_nondet_pointer(void) {
  unsigned long value;
  klee_make_symbolic(&value, sizeof value, "pointer");
  return (void *)value;
}

WEAK char *__VERIFIER_nondet_pchar(void) {
  unsigned long value;
  klee_make_symbolic(&value, sizeof value, "pchar");
  return (char *)value;
}

/* Any bytes, each an input of its own, as in test suites. */
WEAK void __VERIFIER_nondet_memory(void *memory, size_t size) {
  unsigned char *bytes = memory;
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char value;
    klee_make_symbolic(&value, sizeof value, "uchar");
    bytes[i] = value;
  }
}

/* A path on which it does not hold is none. */
WEAK void __VERIFIER_assume(int holds) {
#if __STDC_HOSTED__
  if (!holds) klee_silent_exit(0);
#else
  /* No branch: a path that ends here is never an open path. */
  homi_assume(holds != 0);
#endif
}

WEAK void reach_error(void) {
  klee_report_error(__FILE__, __LINE__, "reach_error was called", "reach_error.err");
}

WEAK void __VERIFIER_error(void) {
  klee_report_error(__FILE__, __LINE__, "__VERIFIER_error was called", "reach_error.err");
}

#if __STDC_HOSTED__
/* Programs that are compiled with -finstrument-functions enter each function here, so the call itself is the error,
 * whatever a definition of the program does. */
WEAK void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  if (function == (void *)reach_error || function == (void *)__VERIFIER_error)
    klee_report_error(__FILE__, __LINE__, "reach_error was called", "reach_error.err");
}
WEAK void __cyg_profile_func_exit(void *function, void *caller) { (void)function, (void)caller; }
#endif

/* Code between them is not preempted, even if thread schedules are explored. Declared here, since native
   programs are compiled with this file alone. */
void homi_atomic_begin(void);
void homi_atomic_end(void);
WEAK void __VERIFIER_atomic_begin(void) { homi_atomic_begin(); }
WEAK void __VERIFIER_atomic_end(void) { homi_atomic_end(); }
