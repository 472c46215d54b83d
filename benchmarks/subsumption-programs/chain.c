/* N independent conditions whose different contributions are summed; the sum is asserted about. */
#include <klee/klee.h>

#ifndef N
#define N 40
#endif
#define WEIGHT(k) ((k) % 7 + (k) / 9 + 1)
#define ONE(k) if (k < N) { if (in[k] > 3 * k) sum += WEIGHT(k); most += WEIGHT(k); }
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)

int main(void)
{
    unsigned char in[64];
    int sum = 0, most = 0;
    klee_make_symbolic(in, sizeof in, "in");
    SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)
    klee_assert(sum <= most);
    return 0;
}
