/* Zeros of a matrix and of its transpose; a row is found by its sum. */
#include <klee/klee.h>

#define N 3

int main(void)
{
    unsigned char in[N][N];
    int turned[N][N], zeros = 0, also = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            turned[j][i] = in[i][j] & 3;
            if (turned[j][i] == 0)
                zeros++;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (turned[i][j] == 0)
                also++;
    klee_assert(zeros == also);
    for (int i = 0; i < N; i++) {
        int sum = turned[0][i] + turned[1][i] + turned[2][i];
        klee_assert(sum <= 9);
        if (sum == 9)
            klee_assert(zeros <= 6);
    }
    return 0;
}
