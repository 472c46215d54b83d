/* A stack machine of six instructions. */
#include <klee/klee.h>

#define DEPTH 4

int main(void)
{
    unsigned char code[6];
    int stack[DEPTH], top = 0;
    klee_make_symbolic(code, sizeof code, "code");
    for (int at = 0; at < 6; at++) {
        int argument = code[at] >> 4;
        switch (code[at] & 7) {
        case 0:
            if (top < DEPTH)
                stack[top++] = argument;
            break;
        case 1:
            if (top > 0)
                top--;
            break;
        case 2:
            if (top > 1) {
                top--;
                stack[top - 1] += stack[top];
            }
            break;
        case 3:
            if (top > 0 && top < DEPTH) {
                stack[top] = stack[top - 1];
                top++;
            }
            break;
        case 4:
            if (argument < 2)
                at++;
            break;
        default:
            break;
        }
        klee_assert(top >= 0 && top <= DEPTH);
    }
    for (int i = 0; i < top; i++)
        klee_assert(stack[i] >= 0 && stack[i] <= 15 * 32);
    return 0;
}
