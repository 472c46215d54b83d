/* Nodes that are reached in a graph whose edges the input says. */
#include <klee/klee.h>

#define N 4

static unsigned char edge[N][N], seen[N];
static int reached;

static void visit(int node)
{
    seen[node] = 1;
    reached++;
    for (int next = 0; next < N; next++)
        if ((edge[node][next] & 1) && !seen[next])
            visit(next);
}

int main(void)
{
    klee_make_symbolic(edge, sizeof edge, "edge");
    visit(0);
    klee_assert(reached >= 1 && reached <= N);
    for (int node = 0; node < N; node++)
        if (seen[node] && (edge[node][3] & 1))
            klee_assert(seen[3]);
    return 0;
}
