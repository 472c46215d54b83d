/* Fails at line 19: two bounds leave one value, which is known without a question. */
#include <klee/klee.h>

int main(void)
{
    unsigned char a, b;
    int wide = 0, taken = 5;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (b & 1)
        wide = 1;
    if (a > 1) {
        if (a < 3)
            taken = a;
        else if (a > 200)
            taken = a;
    }
    if (taken == 2 && wide)
        klee_assert(b != 77);
    klee_assert(taken != 1);
    return 0;
}
