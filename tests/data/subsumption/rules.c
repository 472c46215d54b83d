/* Fails at line 52: rules over a few numbers of state; the way to the bug is five events long. */
#include <klee/klee.h>

static int mode = 1, level = 3, door = 1, last = 0;

static int event(int kind)
{
    if (kind == 1 && mode == 1 && level == 3) {
        mode = 2;
        last = 1;
        return 21;
    }
    if (kind == 2 && mode == 2 && door == 1) {
        door = 2;
        level = last == 1 ? 4 : 3;
        return 22;
    }
    if (kind == 3 && door == 2) {
        door = 1;
        mode = level == 4 ? 3 : 1;
        last = 3;
        return 23;
    }
    if (kind == 1 && mode == 3) {
        level = 2;
        last = 2;
        return 24;
    }
    if (kind == 2 && mode == 3 && level == 2) {
        mode = 1;
        level = 1;
        return 25;
    }
    if (kind == 3) {
        level = 3;
        return 20;
    }
    return 0;
}

int main(void)
{
    unsigned char in[5];
    int sum = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 5; i++) {
        int said = event(in[i] & 3);
        klee_assert(level >= 1 && level <= 4);
        if (said > 20)
            sum++;
        if (said == 25)
            klee_assert(last != 2);
    }
    klee_assert(sum <= 5);
    return 0;
}
