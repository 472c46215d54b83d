/* Fails at line 28: a function's paths are alike, and its callers keep different values. */
#include <klee/klee.h>

static int clamp(int value)
{
    if (value > 3)
        return 3;
    if (value < 1)
        return 1;
    return value;
}

static int first(int value)
{
    int kept = 1;
    return clamp(value) + kept;
}

int main(void)
{
    unsigned char in[2];
    int before = 0, sum = 0;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 128)
        before = 4;
    sum = first(in[1] & 7);
    sum += clamp(in[1] >> 6);
    klee_assert(sum + before != 11);
    klee_assert(sum <= 7);
    return 0;
}
