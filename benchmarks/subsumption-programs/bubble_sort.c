/* Bubble sort of N numbers: the result is in order, and as many swaps were needed at most as there are pairs. */
#include <klee/klee.h>

#ifndef N
#define N 7
#endif

int main(void)
{
    unsigned value[N];
    int swaps = 0;
    klee_make_symbolic(value, sizeof value, "value");
    for (int end = N - 1; end > 0; end--) {
        for (int i = 0; i < end; i++) {
            if (value[i] > value[i + 1]) {
                unsigned larger = value[i];
                value[i] = value[i + 1];
                value[i + 1] = larger;
                swaps++;
            }
        }
    }
    for (int i = 0; i + 1 < N; i++)
        klee_assert(value[i] <= value[i + 1]);
    klee_assert(swaps <= N * (N - 1) / 2);
    return 0;
}
