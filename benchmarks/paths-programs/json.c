/* A JSON checker (no nesting limit, no \u, no exponents) over eight symbolic bytes. */
#include <klee/klee.h>

#define COUNT 8

static const char *at;

static int value(void);

static void blanks(void)
{
    while (*at == ' ' || *at == '\n')
        at++;
}

static int word(const char *rest)
{
    for (; *rest != '\0'; rest++, at++)
        if (*at != *rest)
            return 0;
    return 1;
}

static int digits(void)
{
    if (*at < '0' || *at > '9')
        return 0;
    while (*at >= '0' && *at <= '9')
        at++;
    return 1;
}

static int number(void)
{
    if (*at == '-')
        at++;
    if (!digits())
        return 0;
    if (*at == '.') {
        at++;
        return digits();
    }
    return 1;
}

static int string(void)
{
    at++;
    for (;;) {
        switch (*at++) {
        case '\0':
            return 0;
        case '"':
            return 1;
        case '\\':
            switch (*at++) {
            case '"':
            case '\\':
            case '/':
            case 'b':
            case 'f':
            case 'n':
            case 'r':
            case 't':
                break;
            default:
                return 0;
            }
            break;
        default:
            break;
        }
    }
}

static int array(void)
{
    at++;
    blanks();
    if (*at == ']') {
        at++;
        return 1;
    }
    for (;;) {
        if (!value())
            return 0;
        blanks();
        if (*at == ']') {
            at++;
            return 1;
        }
        if (*at++ != ',')
            return 0;
    }
}

static int object(void)
{
    at++;
    blanks();
    if (*at == '}') {
        at++;
        return 1;
    }
    for (;;) {
        blanks();
        if (*at != '"' || !string())
            return 0;
        blanks();
        if (*at++ != ':' || !value())
            return 0;
        blanks();
        if (*at == '}') {
            at++;
            return 1;
        }
        if (*at++ != ',')
            return 0;
    }
}

static int value(void)
{
    blanks();
    switch (*at) {
    case '{':
        return object();
    case '[':
        return array();
    case '"':
        return string();
    case 't':
        return word("true");
    case 'f':
        return word("false");
    case 'n':
        return word("null");
    default:
        return number();
    }
}

int main(void)
{
    char text[COUNT + 1];
    klee_make_symbolic(text, sizeof text, "text");
    text[COUNT] = '\0';
    at = text;
    if (!value())
        return 1;
    blanks();
    return *at == '\0' ? 0 : 2;
}
