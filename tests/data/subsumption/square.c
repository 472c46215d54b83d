/* Fails at line 17: the condition is about a square and a quotient. */
#include <klee/klee.h>

int main(void)
{
    unsigned char n, m;
    unsigned part = 0;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_make_symbolic(&m, sizeof m, "m");
    n &= 63;
    if (m > 7)
        part = n * n / 33;
    if (m > 70)
        part += 1;
    if (m > 170)
        part += 1;
    klee_assert(part != 77);
    klee_assert(part <= 122);
    return 0;
}
