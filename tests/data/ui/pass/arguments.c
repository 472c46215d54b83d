// args: one two
// expect: exits 1
// expect: statuses 3
#include <klee/klee.h>
int main(int argc, char **argv) {
  klee_assert(argv[1][0] == 'o' && argv[2][2] == 'o' && argv[2][3] == 0 && argv[3] == 0);
  klee_assert(klee_get_obj_size(argv[1]) == 4);
  return argc;
}
