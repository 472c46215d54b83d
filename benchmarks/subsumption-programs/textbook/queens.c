/* Four queens at symbolic places: a solution is one of the two that there are. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[4];
    int attacks = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            int one = in[i] & 3, two = in[j] & 3;
            if (one == two)
                attacks++;
            else if (one - two == i - j)
                attacks++;
            else if (two - one == i - j)
                attacks++;
        }
    }
    klee_assert(attacks <= 6);
    if (attacks == 0)
        klee_assert((in[0] & 3) == 1 || (in[0] & 3) == 2);
    return 0;
}
