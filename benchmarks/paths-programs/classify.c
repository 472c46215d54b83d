/* Five symbolic bytes, each of one of six classes: 6^5 paths. */
#include <klee/klee.h>

#define COUNT 5

static int class_of(unsigned char byte)
{
    if (byte < 32)
        return 0;
    if (byte < '0')
        return 1;
    if (byte < 'A')
        return 2;
    if (byte < 'a')
        return 3;
    if (byte < 128)
        return 4;
    return 5;
}

int main(void)
{
    unsigned char bytes[COUNT];
    int counts[6] = {0};
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < COUNT; i++)
        counts[class_of(bytes[i])]++;
    return counts[3];
}
