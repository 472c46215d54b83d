/* Fails at line 16: the bound is reached by one number of turns, 29 of up to 32. */
#include <klee/klee.h>

int main(void)
{
    unsigned char turns, extra;
    int sum = 0, count = 0;
    klee_make_symbolic(&turns, sizeof turns, "turns");
    klee_make_symbolic(&extra, sizeof extra, "extra");
    for (int i = 0; i < (turns & 31); i++)
        count++;
    if (extra > 100)
        sum = 3;
    if (extra > 200)
        sum = 2;
    klee_assert(count + sum != 32);
    klee_assert(count <= 31);
    return 0;
}
