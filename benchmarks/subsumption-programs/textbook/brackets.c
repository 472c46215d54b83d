/* Brackets of three kinds that must match, with a stack. */
#include <klee/klee.h>

#define N 7

static char closing(char open)
{
    switch (open) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    default:
        return 0;
    }
}

int main(void)
{
    char text[N], stack[N];
    int top = 0, opened = 0, closed = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < N; i++) {
        char wanted = closing(text[i]);
        if (wanted) {
            stack[top++] = wanted;
            opened++;
        } else if (text[i] == ')' || text[i] == ']' || text[i] == '}') {
            if (top == 0 || stack[top - 1] != text[i])
                return 1;
            top--;
            closed++;
        }
        klee_assert(top == opened - closed);
    }
    if (top == 0)
        klee_assert(opened == closed && opened <= N / 2);
    return 0;
}
