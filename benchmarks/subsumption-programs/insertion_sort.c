/* Insertion sort of N numbers into another array: the result is in order, nothing is overrun. */
#include <klee/klee.h>

#ifndef N
#define N 7
#endif

int main(void)
{
    unsigned value[N];
    unsigned sorted[N];
    int count = 0;
    klee_make_symbolic(value, sizeof value, "value");
    for (int i = 0; i < N; i++) {
        int at = count++;
        while (at > 0 && sorted[at - 1] > value[i]) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        klee_assert(at >= 0 && at < N);
        sorted[at] = value[i];
    }
    for (int i = 0; i + 1 < N; i++)
        klee_assert(sorted[i] <= sorted[i + 1]);
    return 0;
}
