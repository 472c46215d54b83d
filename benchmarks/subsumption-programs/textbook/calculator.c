/* A parser of sums and products with parentheses, by recursive descent. */
#include <klee/klee.h>

static const char *at;
static int depth, failed;

static int sum(void);

static int factor(void)
{
    if (*at >= '0' && *at <= '9')
        return *at++ - '0';
    if (*at == '(') {
        at++;
        depth++;
        int value = sum();
        depth--;
        if (*at == ')')
            at++;
        else
            failed = 1;
        return value;
    }
    failed = 1;
    return 0;
}

static int product(void)
{
    int value = factor();
    while (*at == '*' && !failed) {
        at++;
        value *= factor();
    }
    return value;
}

static int sum(void)
{
    int value = product();
    while (*at == '+' && !failed) {
        at++;
        value += product();
    }
    return value;
}

int main(void)
{
    char text[6];
    klee_make_symbolic(text, sizeof text, "text");
    text[5] = 0;
    at = text;
    int value = sum();
    klee_assert(depth == 0 && at <= text + 5);
    klee_assert(failed || value <= 9 * 9 * 9);
    return 0;
}
