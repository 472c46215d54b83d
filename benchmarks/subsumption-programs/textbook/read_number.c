/* A number with sign and leading blanks, read with a check for overflow. */
#include <klee/klee.h>

int main(void)
{
    char text[6];
    int at = 0, negative = 0, value = 0, digits = 0, overflow = 0;
    klee_make_symbolic(text, sizeof text, "text");
    text[5] = 0;
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    if (text[at] == '-' || text[at] == '+')
        negative = text[at++] == '-';
    while (text[at] >= '0' && text[at] <= '9') {
        if (value > (999 - (text[at] - '0')) / 10)
            overflow = 1;
        else
            value = 10 * value + text[at] - '0';
        at++;
        digits++;
    }
    if (negative)
        value = -value;
    klee_assert(value >= -999 && value <= 999);
    klee_assert(!overflow || digits > 3);
    return 0;
}
