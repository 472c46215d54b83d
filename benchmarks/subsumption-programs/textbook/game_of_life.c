/* A row of cells that live or die by their neighbours, for some generations. */
#include <klee/klee.h>

#define N 7

int main(void)
{
    unsigned char in[N];
    int cell[N], next[N];
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        cell[i] = in[i] > 127;
    for (int generation = 0; generation < 3; generation++) {
        int alive = 0;
        for (int i = 0; i < N; i++) {
            int around = (i > 0 ? cell[i - 1] : 0) + (i + 1 < N ? cell[i + 1] : 0);
            next[i] = cell[i] ? around == 1 : around == 1 || around == 2;
        }
        for (int i = 0; i < N; i++) {
            cell[i] = next[i];
            if (cell[i])
                alive++;
        }
        klee_assert(alive <= N);
    }
    klee_assert(cell[0] == 0 || cell[0] == 1);
    return 0;
}
