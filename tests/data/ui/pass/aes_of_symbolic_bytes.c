// AES's substitution of symbolic bytes is a read at a symbolic place: no path for each value.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <immintrin.h>
#include <klee/klee.h>
__attribute__((target("aes"))) int main(void) {
  unsigned char plain[16], cipher[16];
  klee_make_symbolic(plain, sizeof plain, "plain");
  __m128i key = _mm_set_epi32(1, 2, 3, 4);
  __m128i state = _mm_xor_si128(_mm_loadu_si128((void *)plain), key);
  _mm_storeu_si128((void *)cipher, _mm_aesenclast_si128(state, key));
  if ((cipher[0] == 0x42) & (cipher[5] == 0x17)) return 1;
  return 0;
}
