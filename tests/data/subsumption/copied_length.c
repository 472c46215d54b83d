/* Fails at line 19: how much is copied depends on the path. */
#include <klee/klee.h>
#include <string.h>

int main(void)
{
    unsigned char in[3];
    char from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
    unsigned length = 3;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 100)
        length = 5;
    if (in[1] > 100)
        from[4] = 9;
    memcpy(to, from, length);
    klee_assert(to[2] == 3);
    if (in[2] > 100) {
        if (to[3] == 4)
            klee_assert(to[4] != 9);
    }
    klee_assert(to[5] == 0);
    return 0;
}
