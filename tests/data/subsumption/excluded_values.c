/* Fails at line 20: a case is impossible only because earlier comparisons took its value away. */
#include <klee/klee.h>

int main(void)
{
    unsigned char a, b;
    int kind = 0, seen = 0;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if ((b & 3) == 0) {
        if (a == 7)
            return 0;
    } else if ((b & 3) == 1) {
        if (a >= 7 && a <= 9)
            return 1;
    }
    switch (a) {
    case 7:
        kind = 1;
        klee_assert((b & 3) != 2);
        break;
    case 8:
        kind = 2;
        seen = b & 1;
        break;
    default:
        break;
    }
    klee_assert(kind != 2 || (b & 3) != 1);
    klee_assert(seen <= kind);
    return 0;
}
