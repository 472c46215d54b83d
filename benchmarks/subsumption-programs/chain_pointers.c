/* N independent conditions that each add to what a pointer leads to; the sum is asserted about. */
#include <klee/klee.h>

#ifndef N
#define N 40
#endif
#define WEIGHT(k) ((k) % 5 + (k) / 8 + 1)
#define ONE(k) if (k < N) { if (in[k] > 2 * k) *to->total += WEIGHT(k); most += WEIGHT(k); to = to->next; }
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)

struct account {
    int *total;
    struct account *next;
};

int main(void)
{
    unsigned char in[64];
    int left = 0, right = 0, most = 0;
    struct account one, two = {&right, &one}, *to = &two;
    one.total = &left;
    one.next = &two;
    klee_make_symbolic(in, sizeof in, "in");
    SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)
    klee_assert(left + right <= most);
    return 0;
}
