/* Fails at lines 22 and 24: a store goes through a pointer that one path turned to the other variable. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[3];
    int a = 1, b = 1, sum = 0;
    int *to = &a;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 100)
        to = &b;
    if (in[1] > 100)
        *to = 0;
    else
        *to = 1;
    if (in[2] > 100)
        sum = a + b;
    else
        sum = a + 1;
    /* On the first path followed `to` is &a: sum is 1 or 2 whatever b is. */
    if (to == &b)
        klee_assert(sum != 1);
    else
        klee_assert(a != 0 || b != 1 || in[2] != 3);
    klee_assert(sum <= 2);
    return 0;
}
