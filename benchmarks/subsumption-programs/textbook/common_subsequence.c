/* The length of the longest common subsequence of two words, by a table. */
#include <klee/klee.h>

#define N 3

int main(void)
{
    char one[N], two[N];
    int length[N + 1][N + 1], same = 0;
    klee_make_symbolic(one, sizeof one, "one");
    klee_make_symbolic(two, sizeof two, "two");
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            if (i == 0 || j == 0)
                length[i][j] = 0;
            else if (one[i - 1] == two[j - 1])
                length[i][j] = length[i - 1][j - 1] + 1;
            else
                length[i][j] = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
        }
    for (int i = 0; i < N; i++)
        if (one[i] == two[i])
            same++;
    klee_assert(length[N][N] >= same && length[N][N] <= N);
    return 0;
}
