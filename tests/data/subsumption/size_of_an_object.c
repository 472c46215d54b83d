/* Fails at line 20: an object is too small on one of the paths. */
#include <klee/klee.h>
#include <stdlib.h>

int main(void)
{
    unsigned char in[3];
    unsigned size = 8, at = 0;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 100)
        size = 6;
    char *room = calloc(size, 1);
    if (in[1] > 100)
        at = 5;
    if (in[1] > 200)
        at = 7;
    if (in[2] > 9)
        room[0] = 1;
    /* Line 20 is the store. */
    room[at] = 3;
    klee_assert(room[0] <= 3);
    free(room);
    return 0;
}
