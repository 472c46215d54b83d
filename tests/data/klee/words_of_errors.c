// Texts of errors that stand for KLEE's: of symbolic arguments, of calls too deep, of copies too long.
//
// klee: --output-dir=files --exit-on-error %p --sym-files 1 8 --sym-files 2 8
// status: 1
// says: Multiple --sym-files are not allowed
//
// klee: --output-dir=none --exit-on-error %p --sym-files 0 8
// status: 1
// says: The first argument to --sym-files (number of files) cannot be 0
//
// klee: --output-dir=empty --exit-on-error %p --sym-files 1 0
// status: 1
// says: The second argument to --sym-files (file size) cannot be 0
//
// klee: --output-dir=range --exit-on-error %p --sym-args 0 0 4
// status: 1
// says: Invalid range to --sym-args
//
// klee: --output-dir=alone %p --sym-args 3 0 4
// status: 0
// says: Invalid range to --sym-args
// never: was not run
// says: KLEE: done: generated tests = 1
//
// klee: --output-dir=value --max-time=abc %p
// status: 1
// says: klee: for the --max-time option: 'abc' value invalid
// never: For more information
//
// klee: --output-dir=seed --seed-file=no-such.ktest %p
// status: 1
// says: KLEE: ERROR: cannot use a seed: ...No such file
//
// klee: --output-dir=deep --entry-point=deep --max-stack-frames=50 %p
// status: 0
// says: KLEE: WARNING: Maximum stack size reached.
//
// klee: --output-dir=copy --entry-point=copy %p
// status: 0
// says: words_of_errors.c:66: memcpy overflow
// counts: copy .ptr.err 1
//
// tool: ktest-randgen 0 --frobnicate
// status: 1
// says: Unexpected option <--frobnicate>
//
// tool: ktest-randgen 7 --sym-args 1 2
// status: 1
// says: ran out of
//
// tool: ktest-randgen 7 --sym-args 3 2 4
// status: 1
// says: should be no more
#include <stddef.h>

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);

struct record { char name[4], rest[12]; };

int deep(void);
int (*volatile again)(void) = deep;
int deep(void) { return again() + 1; }

int copy(void) {
  struct record one;
  __memcpy_chk(one.name, "longer", 7, sizeof one.name);
  return one.name[0];
}

int main(int argc, char **argv) { return argc + !argv; }
