/* Cells of a grid that are above a limit, counted by rows and by columns. */
#include <klee/klee.h>

#ifndef N
#define N 5
#endif

int main(void)
{
    unsigned char grid[N][N];
    int count = 0;
    klee_make_symbolic(grid, sizeof grid, "grid");
    for (int row = 0; row < N; row++) {
        int here = 0;
        for (int column = 0; column < N; column++) {
            if (grid[row][column] > 100 + 10 * row)
                here++;
        }
        klee_assert(here <= N);
        count += here;
    }
    klee_assert(count <= N * N);
    return 0;
}
