// Constructors in the order of their priorities get the words of the command line and the environment.
// input: 1
#include "outcome.h"
#include <stdlib.h>

extern char **environ;
static int order, words, has_all;

__attribute__((constructor(202))) static void third(int argc, char **argv, char **envp) {
  order = order * 4 + 3;
  words = argc;
  has_all = argv && argv[0] && !argv[argc] && envp == environ;
}
__attribute__((constructor(201))) static void second(void) { order = order * 4 + 2; }
__attribute__((constructor(200))) static void first(int argc) { order = argc > 0 ? 1 : 9; }

static void last(void) { _exit(77); }
static void early(void) {
  if (words == 9) exit(66);
}

int main(void) {
  unsigned char letter;
  take(&letter, 1);
  if (order != (1 * 4 + 2) * 4 + 3) return 240;
  if (words < 1 || !has_all) return 241;
  if (letter == 'q') {
    at_quick_exit(last);
    quick_exit(1);
  }
  if (letter == 'e') words = 9;
  if (letter == 'e' && atexit(early)) return 242;
  return letter < 'n';
}
