// What harnesses do wrong.
//
// klee: --output-dir=size %p s
// says: misuse.c:46: Wrong size given to klee_make_symbolic
// counts: size .user.err 1
// holds: size/test000001.user.err: 3 bytes were given, the object has 4
//
// klee: --output-dir=inner %p i
// says: memory error: invalid pointer: make_symbolic
// holds: inner/test000001.ptr.err: 4 bytes into
//
// klee: --output-dir=name %p n
// says: Invalid string pointer passed to one of the klee_ functions
// counts: name .user.err 1
//
// klee: --output-dir=text %p t
// says: String not terminated by \0 passed to one of the klee_ functions
// says: KLEE: WARNING: main: abcd
// counts: text .user.err 0
//
// klee: --output-dir=assume %p a
// says: invalid klee_assume call (provably false)
// counts: assume .user.err 1
//
// klee: --silent-klee-assume --output-dir=silent %p a
// never: provably false
// counts: silent .user.err 0
//
// klee: --output-dir=fixed %p f
// status: 0
// says: KLEE: done: completed paths = 1
// never: ERROR
//
// klee: --output-dir=two %p w
// says: divide by zero
// says: memory error: null page access
// counts: two .err 2
#include <klee/klee.h>

struct pair { int a, b; } pair;

int main(int argc, char **argv) {
  char c, text[4] = {'a', 'b', 'c', 'd'};
  int x = 1;
  switch (argv[1][0]) {
  case 's': klee_make_symbolic(&x, 3, "x"); break;
  case 'i': klee_make_symbolic(&pair.b, sizeof pair.b, "b"); break;
  case 'n': klee_make_symbolic(&x, 4, (char *)0xf); break;
  case 't': klee_warning(text); break;
  case 'a': klee_assume(argc == 7); break;
  case 'f':
    klee_define_fixed_object((void *)0x80, 4);
    *(volatile int *)0x80 = 5;
    break;
  case 'w': {
    int a = klee_int("a"), *p = 0;
    a = 2 / a;
    a = *p;
    break;
  }
  }
  return 0;
}
