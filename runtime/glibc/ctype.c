/* Narrow character classes and case, in the C locale, without a branch: a branch on a symbolic character
 * is a fork, so every answer is arithmetic. Arguments are unsigned char values or EOF. */
#include <locale.h>

#define BETWEEN(c, low, high) ((unsigned)(c) - (low) <= (unsigned)((high) - (low)))
#define LETTER(c) BETWEEN((unsigned)(c) | 32, 'a', 'z')
#define DIGIT(c) BETWEEN(c, '0', '9')

#define DEFINE_CLASS(name, expression) \
	int name(int c) { return expression; } \
	int __##name##_l(int c, locale_t locale) { return expression; } \
	int name##_l(int c, locale_t locale) { return expression; }

DEFINE_CLASS(isalnum, LETTER(c) | DIGIT(c))
DEFINE_CLASS(isalpha, LETTER(c))
DEFINE_CLASS(isblank, (c == ' ') | (c == '\t'))
DEFINE_CLASS(iscntrl, ((unsigned)c < 32) | (c == 127))
DEFINE_CLASS(isdigit, DIGIT(c))
DEFINE_CLASS(isgraph, BETWEEN(c, '!', '~'))
DEFINE_CLASS(islower, BETWEEN(c, 'a', 'z'))
DEFINE_CLASS(isprint, BETWEEN(c, ' ', '~'))
DEFINE_CLASS(ispunct, BETWEEN(c, '!', '~') & !(LETTER(c) | DIGIT(c)))
DEFINE_CLASS(isspace, (c == ' ') | BETWEEN(c, '\t', '\r'))
DEFINE_CLASS(isupper, BETWEEN(c, 'A', 'Z'))
DEFINE_CLASS(isxdigit, DIGIT(c) | BETWEEN((unsigned)c | 32, 'a', 'f'))
DEFINE_CLASS(tolower, c | (BETWEEN(c, 'A', 'Z') << 5))
DEFINE_CLASS(toupper, c & ~(BETWEEN(c, 'a', 'z') << 5))

int isascii(int c) { return (unsigned)c < 128; }
int toascii(int c) { return c & 127; }
