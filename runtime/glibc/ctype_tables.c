/* The tables behind glibc's inline tolower and toupper: indices -128 to 255. A character without another case, and EOF
 * at -1, stands for itself; negative chars stand for the same byte as an unsigned value. */
#include <stdint.h>

#define LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : (c))
#define UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 32 : (c))
#define ROW4(f, c) f(c), f((c) + 1), f((c) + 2), f((c) + 3)
#define ROW16(f, c) ROW4(f, c), ROW4(f, (c) + 4), ROW4(f, (c) + 8), ROW4(f, (c) + 12)
#define ROW64(f, c) ROW16(f, c), ROW16(f, (c) + 16), ROW16(f, (c) + 32), ROW16(f, (c) + 48)
#define TABLE(f) { ROW64(f, 128), ROW64(f, 192), ROW64(f, 0), ROW64(f, 64), ROW64(f, 128), ROW64(f, 192), [127] = -1 }

const int32_t __homi_lower[384] = TABLE(LOWER), __homi_upper[384] = TABLE(UPPER);
static const int32_t *const lower_at_0 = __homi_lower + 128, *const upper_at_0 = __homi_upper + 128;

const int32_t **__ctype_tolower_loc(void) { return (const int32_t **)&lower_at_0; }
const int32_t **__ctype_toupper_loc(void) { return (const int32_t **)&upper_at_0; }
