/* Greatest common divisors of three numbers, by subtraction. */
#include <klee/klee.h>

static int gcd(int a, int b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}

int main(void)
{
    unsigned char in[3];
    klee_make_symbolic(in, sizeof in, "in");
    int a = 1 + (in[0] & 15), b = 1 + (in[1] & 15), c = 1 + (in[2] & 7);
    int one = gcd(a, b);
    klee_assert(one >= 1 && one <= 16);
    int all = gcd(one, c);
    klee_assert(all >= 1 && all <= 8);
    return 0;
}
