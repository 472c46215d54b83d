/* Fails nowhere: many paths, of which few differ in what is asserted. */
#include <klee/klee.h>

int main(void)
{
    unsigned char in[10];
    int sum = 0, odd = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 10; i++) {
        if (in[i] > 100)
            sum += i;
        else
            odd = !odd;
    }
    klee_assert(sum <= 45);
    klee_assert(odd == 0 || odd == 1);
    return 0;
}
