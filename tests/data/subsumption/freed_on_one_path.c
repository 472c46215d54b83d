/* Fails at line 18: what a flag guards was freed, and one path forgets the flag. */
#include <klee/klee.h>
#include <stdlib.h>

int main(void)
{
    unsigned char in[3];
    int alive = 1;
    klee_make_symbolic(in, sizeof in, "in");
    int *number = calloc(1, sizeof *number);
    if (in[0] > 100) {
        free(number);
        alive = in[0] == 255;
    }
    if (in[1] > 100)
        alive = alive && in[1] != 200;
    if (alive && in[2] > 100)
        *number = 2;
    if (alive && in[0] <= 100)
        klee_assert(*number == 0 || *number == 2);
    return 0;
}
