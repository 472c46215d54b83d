/* A text is packed as counts and letters, and unpacked again. */
#include <klee/klee.h>

#define N 7

int main(void)
{
    unsigned char in[N], packed[2 * N], back[N];
    int size = 0, length = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N;) {
        int count = 1;
        while (i + count < N && in[i + count] == in[i])
            count++;
        packed[size++] = count;
        packed[size++] = in[i];
        i += count;
    }
    for (int i = 0; i < size; i += 2)
        for (int k = 0; k < packed[i]; k++) {
            klee_assert(length < N);
            back[length++] = packed[i + 1];
        }
    klee_assert(length == N);
    for (int i = 0; i < N; i++)
        klee_assert(back[i] == in[i]);
    return 0;
}
