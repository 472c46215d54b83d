/* Fails at line 24: a loop is left early, and what was counted until then matters afterwards. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[4];
    int found = -1, sum = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 4; i++) {
        if (in[i] == 0) {
            found = i;
            break;
        }
        if (in[i] > 128)
            sum += 2;
        else
            sum += 1;
    }
    klee_assert(sum >= 0 && sum <= 8);
    if (found == 3) {
        klee_assert(sum >= 3);
        if (in[0] == 5)
            /* Six needs three twos, so the first of them is not 5. */
            klee_assert(sum != 5);
        klee_assert(in[0] != 5 || sum != 6);
    }
    return 0;
}
