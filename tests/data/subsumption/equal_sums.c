/* Fails at line 19: paths meet in the same sum, and differ in its parts. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[3];
    int left = 0, right = 0;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 9)
        left += 1;
    else
        right += 1;
    if (in[1] > 9)
        right += 1;
    else
        left += 1;
    klee_assert(left + right == 2);
    if (in[2] == 3)
        klee_assert(left != 2);
    klee_assert(left <= 2);
    return 0;
}
