/* A text with a gap at the cursor: insert, delete, move; what it holds has its length. */
#include <klee/klee.h>

#define SIZE 6

static char buffer[SIZE];
static int before, after = SIZE;

static void insert(char c)
{
    if (before < after)
        buffer[before++] = c;
}

static void move(int left)
{
    if (left && before > 0)
        buffer[--after] = buffer[--before];
    else if (!left && after < SIZE)
        buffer[before++] = buffer[after++];
}

int main(void)
{
    unsigned char in[7];
    int length = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 7; i++) {
        int was = before + SIZE - after;
        if (in[i] >= ' ' && in[i] < 127) {
            insert(in[i]);
        } else if (in[i] == 8) {
            if (before > 0)
                before--;
        } else if (in[i] == 1 || in[i] == 2) {
            move(in[i] == 1);
            klee_assert(before + SIZE - after == was);
        }
        klee_assert(before >= 0 && before <= after && after <= SIZE);
    }
    length = before + SIZE - after;
    klee_assert(length >= 0 && length <= SIZE);
    return 0;
}
