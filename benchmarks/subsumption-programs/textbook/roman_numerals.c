/* A number to Roman numerals and back. */
#include <klee/klee.h>

static const int values[] = {50, 40, 10, 9, 5, 4, 1};
static const char *const signs[] = {"L", "XL", "X", "IX", "V", "IV", "I"};

static int value_of(char c)
{
    switch (c) {
    case 'L':
        return 50;
    case 'X':
        return 10;
    case 'V':
        return 5;
    default:
        return 1;
    }
}

int main(void)
{
    unsigned char in;
    char text[16];
    int length = 0, back = 0;
    klee_make_symbolic(&in, sizeof in, "in");
    int number = in & 63, rest = number;
    for (int i = 0; i < 7; i++) {
        while (rest >= values[i]) {
            rest -= values[i];
            for (const char *s = signs[i]; *s; s++)
                text[length++] = *s;
        }
    }
    klee_assert(rest == 0 && length < 16);
    for (int i = 0; i < length; i++) {
        int here = value_of(text[i]);
        if (i + 1 < length && value_of(text[i + 1]) > here)
            back -= here;
        else
            back += here;
    }
    klee_assert(back == number);
    return 0;
}
