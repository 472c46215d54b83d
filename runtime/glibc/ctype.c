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

/* What glibc's inline tolower and toupper index from -128 to 255: bytes from 128 on are themselves (in musl's
 * tables they are 0), as negative chars too, and EOF is EOF. */
#define EIGHT(row, f) f(row), f(row + 1), f(row + 2), f(row + 3), f(row + 4), f(row + 5), f(row + 6), f(row + 7)
#define LINE(row, f) EIGHT(row, f), EIGHT(row + 8, f), EIGHT(row + 16, f), EIGHT(row + 24, f)
#define HALF(row, f) LINE(row, f), LINE(row + 32, f), LINE(row + 64, f), LINE(row + 96, f)
#define SAME(c) ((c) == 255 ? -1 : (c))
#define LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : (c))
#define UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 32 : (c))

static const int lower[384] = {HALF(128, SAME), HALF(0, LOWER), HALF(128, LOWER)};
static const int upper[384] = {HALF(128, SAME), HALF(0, UPPER), HALF(128, UPPER)};
static const int *const lower_from_zero = lower + 128, *const upper_from_zero = upper + 128;

const int **__ctype_tolower_loc(void) { return (const int **)&lower_from_zero; }
const int **__ctype_toupper_loc(void) { return (const int **)&upper_from_zero; }
