/* Fails at line 24: calls of different depth stand at the same point. */
#include <klee/klee.h>

static int total;

static void down(int depth, const unsigned char *in)
{
    int here = 1;
    if (in[depth] > 100)
        here = 2;
    if (depth < 2)
        down(depth + 1, in);
    /* On the way back: the caller's `here` differs from path to path. */
    total = total * 3 + here;
}

int main(void)
{
    unsigned char in[3];
    klee_make_symbolic(in, sizeof in, "in");
    down(0, in);
    klee_assert(total >= 13 && total <= 26);
    /* 22: 2, 1, 1 from the deepest on. */
    klee_assert(total != 22);
    return 0;
}
