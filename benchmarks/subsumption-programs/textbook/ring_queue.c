/* A queue in a ring of three places. */
#include <klee/klee.h>

#define ROOM 3

static int ring[ROOM], first, count;

static int put(int value)
{
    if (count == ROOM)
        return 0;
    ring[(first + count++) % ROOM] = value;
    return 1;
}

static int get(int *value)
{
    if (count == 0)
        return 0;
    *value = ring[first];
    first = (first + 1) % ROOM;
    count--;
    return 1;
}

int main(void)
{
    unsigned char in[10];
    int next = 0, expected = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 10; i++) {
        if (in[i] & 1) {
            next += put(next);
        } else {
            int value;
            if (get(&value))
                klee_assert(value == expected++);
        }
        klee_assert(next - expected == count && count <= ROOM);
    }
    return 0;
}
