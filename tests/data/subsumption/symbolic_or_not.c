/* Fails at lines 18 and 19: the program asks whether a value is symbolic. */
#include <klee/klee.h>

int main(void)
{
    unsigned char a, b, c;
    unsigned char value = 5;
    int mode = 0;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    if (a > 100)
        value = b;
    if (klee_is_symbolic(value))
        mode = 1;
    if (c > 100)
        mode *= 2;
    klee_assert(mode != 2);
    klee_assert(mode != 0 || c != 150);
    return 0;
}
