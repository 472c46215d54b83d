/* Narrow character classes and case, in the C locale, without a branch: a branch on a symbolic character
 * is a fork, so every answer is arithmetic. As glibc's tables have it, a member of a class gets the bit of
 * the class, and a negative char that is no EOF has the case of the same byte. */
#include <locale.h>

#define BETWEEN(c, low, high) ((unsigned)(c) - (low) <= (unsigned)((high) - (low)))
#define LETTER(c) BETWEEN((unsigned)(c) | 32, 'a', 'z')
#define DIGIT(c) BETWEEN(c, '0', '9')
#define BYTE(c) ((c) + (BETWEEN(c, -128, -2) << 8))

#define DEFINE(name, expression) \
	int name(int c) { return expression; } \
	int __##name##_l(int c, locale_t locale) { return expression; } \
	int name##_l(int c, locale_t locale) { return expression; }

enum { SPACE = 1 << 13, PRINT = 1 << 14, GRAPH = 1 << 15, BLANK = 1 << 0, CNTRL = 1 << 1, PUNCT = 1 << 2, ALNUM = 1 << 3,
	UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, NUMERIC = 1 << 11, HEXADECIMAL = 1 << 12 };

DEFINE(isalnum, (LETTER(c) | DIGIT(c)) * ALNUM)
DEFINE(isalpha, LETTER(c) * ALPHA)
DEFINE(isblank, ((c == ' ') | (c == '\t')) * BLANK)
DEFINE(iscntrl, (((unsigned)c < 32) | (c == 127)) * CNTRL)
DEFINE(isdigit, DIGIT(c) * NUMERIC)
DEFINE(isgraph, BETWEEN(c, '!', '~') * GRAPH)
DEFINE(islower, BETWEEN(c, 'a', 'z') * LOWER)
DEFINE(isprint, BETWEEN(c, ' ', '~') * PRINT)
DEFINE(ispunct, (BETWEEN(c, '!', '~') & !(LETTER(c) | DIGIT(c))) * PUNCT)
DEFINE(isspace, ((c == ' ') | BETWEEN(c, '\t', '\r')) * SPACE)
DEFINE(isupper, BETWEEN(c, 'A', 'Z') * UPPER)
DEFINE(isxdigit, (DIGIT(c) | BETWEEN((unsigned)c | 32, 'a', 'f')) * HEXADECIMAL)
DEFINE(tolower, BYTE(c) | (BETWEEN(c, 'A', 'Z') << 5))
DEFINE(toupper, BYTE(c) & ~(BETWEEN(c, 'a', 'z') << 5))

int isascii(int c) { return (unsigned)c < 128; }
int toascii(int c) { return c & 127; }
