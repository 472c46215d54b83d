/* Ones of a word counted in two ways, its highest bit, its parity. */
#include <klee/klee.h>

int main(void)
{
    unsigned short in;
    klee_make_symbolic(&in, sizeof in, "in");
    unsigned word = in & 0x3ff;
    int ones = 0, again = 0, highest = -1, parity = 0;
    for (int i = 0; i < 10; i++) {
        if (word >> i & 1) {
            ones++;
            highest = i;
            parity = !parity;
        }
    }
    for (unsigned rest = word; rest; rest &= rest - 1)
        again++;
    klee_assert(ones == again);
    klee_assert(highest < 10 && ones <= highest + 1);
    klee_assert(parity == (ones & 1));
    return 0;
}
