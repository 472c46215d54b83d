/* Intervals in order of their starts are merged where they overlap. */
#include <klee/klee.h>

#define N 3

struct interval {
    int from, to;
};

int main(void)
{
    unsigned char in[N][2];
    struct interval all[N], merged[N];
    int count = 0, covered = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++) {
        struct interval made = {in[i][0] & 31, (in[i][0] & 31) + (in[i][1] & 7)};
        int at = i;
        for (; at > 0 && all[at - 1].from > made.from; at--)
            all[at] = all[at - 1];
        all[at] = made;
    }
    for (int i = 0; i < N; i++) {
        if (count && all[i].from <= merged[count - 1].to) {
            if (all[i].to > merged[count - 1].to)
                merged[count - 1].to = all[i].to;
        } else {
            merged[count++] = all[i];
        }
    }
    for (int i = 0; i < count; i++) {
        klee_assert(i == 0 || merged[i].from > merged[i - 1].to);
        covered += merged[i].to - merged[i].from;
    }
    klee_assert(covered <= 7 * N);
    return 0;
}
