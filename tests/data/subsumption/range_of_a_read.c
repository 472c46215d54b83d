/* Fails at line 18: an index is known to lie in a part of the table, where no number is large. */
#include <klee/klee.h>

static const unsigned char table[16] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 9, 2};

int main(void)
{
    unsigned char in[2];
    int limit = 16;
    klee_make_symbolic(in, sizeof in, "in");
    unsigned at = in[0] & 15;
    if (in[1] < 50)
        limit = 8;
    else if (in[1] < 60)
        limit = 12;
    if ((int)at >= limit)
        return 0;
    klee_assert(table[at] < 9);
    return 0;
}
