/* Sets that are united by pairs: as many are left as unions that joined two say. */
#include <klee/klee.h>

#define N 6

static int parent[N], rank[N];

static int find(int x)
{
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

static int unite(int a, int b)
{
    a = find(a);
    b = find(b);
    if (a == b)
        return 0;
    if (rank[a] < rank[b]) {
        parent[a] = b;
    } else {
        parent[b] = a;
        if (rank[a] == rank[b])
            rank[a]++;
    }
    return 1;
}

int main(void)
{
    unsigned char in[4];
    int sets = N, roots = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        parent[i] = i;
    for (int i = 0; i < 4; i++) {
        int a = 0, b = 0;
        for (int k = 1; k < N; k++) {
            if (in[i] % 6 == k)
                a = k;
            if (in[i] / 6 % 6 == k)
                b = k;
        }
        sets -= unite(a, b);
    }
    for (int i = 0; i < N; i++)
        if (parent[i] == i)
            roots++;
    klee_assert(roots == sets && sets >= 2);
    return 0;
}
