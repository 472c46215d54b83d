/* Fails at line 18: a sum runs over a byte, so larger is smaller. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[2], sum = 0;
    signed char low = 0;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 9)
        sum += 100;
    if (in[0] > 99)
        sum += 100;
    if (in[1] > 9)
        sum += 55;
    if (in[1] > 99)
        low = sum;
    klee_assert(sum <= 255);
    klee_assert(low != -1);
    if (low < 0)
        klee_assert((unsigned)low > 255);
    return 0;
}
