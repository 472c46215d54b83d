/* The best load of a knapsack, by trying with and without each thing. */
#include <klee/klee.h>

#define N 4

static int weight[N], price[N];

static int best(int thing, int room)
{
    if (thing == N)
        return 0;
    int without = best(thing + 1, room);
    if (weight[thing] > room)
        return without;
    int with = price[thing] + best(thing + 1, room - weight[thing]);
    return with > without ? with : without;
}

int main(void)
{
    unsigned char in[N];
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++) {
        weight[i] = in[i] & 4 ? 3 : 2;
        price[i] = in[i] & 2 ? 5 : in[i] & 1 ? 4 : 1;
    }
    int value = best(0, 7);
    klee_assert(value >= 2 && value <= 15);
    return 0;
}
