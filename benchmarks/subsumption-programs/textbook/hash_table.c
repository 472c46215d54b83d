/* A table with open addressing: what was put in is found, what was not is not. */
#include <klee/klee.h>

#define SIZE 8

static int keys[SIZE];
static unsigned char used[SIZE];

static int slot(int key)
{
    int at = key * 5 % SIZE;
    for (int tries = 0; tries < SIZE; tries++) {
        if (!used[at] || keys[at] == key)
            return at;
        at = (at + 1) % SIZE;
    }
    return -1;
}

int main(void)
{
    unsigned char in[4];
    int count = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 4; i++) {
        int key = in[i] % 20, at = slot(key);
        klee_assert(at >= 0);
        if (!used[at])
            count++;
        used[at] = 1;
        keys[at] = key;
    }
    for (int i = 0; i < 4; i++)
        klee_assert(used[slot(in[i] % 20)]);
    klee_assert(count >= 1 && count <= 4);
    return 0;
}
