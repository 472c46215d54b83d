/* Two players in turns; not both have three in a row. */
#include <klee/klee.h>

static int board[9];
static const unsigned char rows[8][3] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
};

static int won(int player)
{
    for (int r = 0; r < 8; r++) {
        int same = 0;
        for (int i = 0; i < 3; i++)
            if (board[rows[r][i]] == player)
                same++;
        if (same == 3)
            return 1;
    }
    return 0;
}

int main(void)
{
    unsigned char in[6];
    int stones = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 6; i++) {
        int place = -1;
        for (int k = 0; k < 9; k++)
            if (in[i] % 9 == k)
                place = k;
        klee_assert(place >= 0);
        if (board[place])
            continue;
        board[place] = 1 + stones++ % 2;
        if (won(1) || won(2))
            break;
    }
    klee_assert(!won(1) || !won(2));
    klee_assert(!won(1) || stones >= 5);
    return 0;
}
