/* Moves that the input says, of discs on three pegs: no disc lies on a smaller one. */
#include <klee/klee.h>

static int peg[3][3] = {{3, 2, 1}}, height[3] = {3, 0, 0};

static void move(int from, int to)
{
    if (from == to || height[from] == 0)
        return;
    int disc = peg[from][height[from] - 1];
    if (height[to] > 0 && peg[to][height[to] - 1] < disc)
        return;
    height[from]--;
    peg[to][height[to]++] = disc;
}

int main(void)
{
    unsigned char in[6];
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 6; i++) {
        switch (in[i] % 6) {
        case 0: move(0, 1); break;
        case 1: move(0, 2); break;
        case 2: move(1, 0); break;
        case 3: move(1, 2); break;
        case 4: move(2, 0); break;
        default: move(2, 1); break;
        }
        for (int p = 0; p < 3; p++)
            for (int k = 1; k < height[p]; k++)
                klee_assert(peg[p][k] < peg[p][k - 1]);
    }
    klee_assert(height[0] + height[1] + height[2] == 3);
    klee_assert(height[2] < 3);
    return 0;
}
