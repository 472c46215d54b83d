/* Binary searches for keys in a fixed array agree with searches from its start. */
#include <klee/klee.h>

#define N 12

static const short values[N] = {1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144};

static int search(int key)
{
    int low = 0, high = N - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (values[middle] == key)
            return middle;
        if (values[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    unsigned char in[3];
    int found = 0, also = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 3; i++) {
        if (search(in[i]) >= 0)
            found++;
        for (int k = 0; k < N; k++)
            if (values[k] == in[i])
                also++;
    }
    klee_assert(found == also && found <= 3);
    return 0;
}
