// Symbolic arguments, standard input and files, as scripts for KLEE ask for them.
//
// klee: --posix-runtime --libc=uclibc --max-time=60s --output-dir=out %p --sym-args 0 2 3 --sym-stdin 2
// status: 0
// says: KLEE: done: completed paths = 4
// counts: out .ktest 4
//
// tool: ktest-tool out/test000001.ktest
// status: 0
// says: ktest file : 'out/test000001.ktest'
// says: args       : ['posix.bc', '--sym-args', '0', '2', '3', '--sym-stdin', '2']
//
// tool: klee-stats out
// status: 0
// says: Instrs
//
// tool: klee-stats --to-csv out
// status: 0
// says: Instructions
//
// tool: ktest-randgen 7 --sym-files 1 4 --bout-file random.ktest
// status: 0
// has: random.ktest
//
// tool: klee-replay --create-files-only random.ktest
// status: 0
// has: A
//
// tool: ktest-gen ab --sym-stdin random.ktest
// status: 0
// has: file.bout
#include <unistd.h>

int main(int argc, char **argv) {
  char c;
  if (argc == 1) return 0;
  if (argc == 2) return argv[1][0] == 'x' ? 1 : 2;
  if (read(0, &c, 1) == 1 && c == 'y') return 3;
  return 4;
}
