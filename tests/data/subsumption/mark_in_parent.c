/* Fails at line 21: what a deeper condition needs was decided two conditions above. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[4];
    int first = 0, second = 0, third = 0;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 10)
        first = 1;
    if (in[1] > 20)
        second = 2;
    else
        second = first;
    if (in[2] > 30)
        third = second + 1;
    /* The first path here has first 0, so neither condition below can be true. */
    if (third == 2) {
        if (first == 1) {
            if (in[3] == 99)
                klee_assert(second != 1);
        }
    }
    klee_assert(third <= 3);
    return 0;
}
