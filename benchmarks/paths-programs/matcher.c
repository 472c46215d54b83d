/* A matcher for patterns of literals, `.`, `*`, `^` and `$`, with a symbolic pattern of six bytes and a terminator. */
#include <klee/klee.h>

static int match_here(const char *pattern, const char *text);

/* `letter` any number of times, then the rest of the pattern. */
static int match_repeated(char letter, const char *rest, const char *text)
{
    for (;;) {
        if (match_here(rest, text))
            return 1;
        if (*text == '\0')
            return 0;
        if (*text != letter && letter != '.')
            return 0;
        text++;
    }
}

/* The pattern at the start of the text. */
static int match_here(const char *pattern, const char *text)
{
    if (pattern[0] == '\0')
        return 0;
    if (pattern[1] == '*')
        return match_repeated(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == '\0')
        return *text == '\0';
    if (*text == '\0')
        return 0;
    if (pattern[0] == '.' || pattern[0] == *text)
        return match_here(pattern + 1, text + 1);
    return 0;
}

static int match(const char *pattern, const char *text)
{
    if (pattern[0] == '^')
        return match_here(pattern + 1, text);
    do {
        if (match_here(pattern, text))
            return 1;
    } while (*text++ != '\0');
    return 0;
}

int main(void)
{
    char pattern[7];
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    pattern[6] = '\0';
    return match(pattern, "hello");
}
