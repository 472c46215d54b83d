/* A matcher for `.`, `*`, `^` and `$` with a symbolic pattern; it stays within pattern and text. */
#include <klee/klee.h>

#ifndef N
#define N 6
#endif

static char pattern[N + 1];
static const char text[] = "hello";
static int matched;

static int here(int p, int t);

static int starred(int c, int p, int t)
{
    do {
        if (here(p, t))
            return 1;
    } while (text[t] != '\0' && (text[t++] == c || c == '.'));
    return 0;
}

static int here(int p, int t)
{
    klee_assert(p <= N && t < (int)sizeof text);
    if (pattern[p] == '\0') {
        matched = t;
        return 1;
    }
    if (pattern[p + 1] == '*')
        return starred(pattern[p], p + 2, t);
    if (pattern[p] == '$' && pattern[p + 1] == '\0')
        return text[t] == '\0';
    if (text[t] != '\0' && (pattern[p] == '.' || pattern[p] == text[t]))
        return here(p + 1, t + 1);
    return 0;
}

int main(void)
{
    int found = 0, t = 0;
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    pattern[N] = '\0';
    if (pattern[0] == '^') {
        found = here(1, 0);
    } else {
        do
            found = here(0, t);
        while (!found && text[t++] != '\0');
    }
    klee_assert(!found || matched <= 5);
    return 0;
}
