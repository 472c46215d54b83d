/* AES, SHA-1, SHA-256 and Galois fields by x86's instructions; symbolic bytes too are looked up without forks (symbolic.c has none). */
#include "out.h"
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,aes,sha,vaes,gfni,pclmul,vpclmulqdq"))), apply_to = function)
typedef union { __m128i h[4]; __m256i y; __m512i z; unsigned char b[64]; unsigned long q[8]; } V;
static unsigned long seed = 99;
static V random_bytes(void) { V v; for (int i = 0; i < 64; i++) v.b[i] = (seed = seed * 6364136223846793005ul + 1442695040888963407ul) >> 45; return v; }
#define P128(e) ({ V r; r.h[0] = (e); out(r.q[0]), out(r.q[1]); })
#define P512(e) ({ V r; r.z = (e); for (int i = 0; i < 8; i++) out(r.q[i]); })
#define P256(e) ({ V r; r.y = (e); for (int i = 0; i < 4; i++) out(r.q[i]); })

static void turn(void) {
  V a = random_bytes(), b = random_bytes(), c = random_bytes();
  __m128i x = a.h[0], y = b.h[0], z = c.h[0];
  P128(_mm_aesenc_si128(x, y)), P128(_mm_aesenclast_si128(x, y)), P128(_mm_aesdec_si128(x, y)), P128(_mm_aesdeclast_si128(x, y)), P128(_mm_aesimc_si128(x));
  P128(_mm_aeskeygenassist_si128(x, 0)), P128(_mm_aeskeygenassist_si128(y, 0x36));
  P512(_mm512_aesenc_epi128(a.z, b.z)), P512(_mm512_aesdeclast_epi128(a.z, b.z)), P256(_mm256_aesdec_epi128(a.y, b.y));
  P128(_mm_sha1msg1_epu32(x, y)), P128(_mm_sha1msg2_epu32(x, y)), P128(_mm_sha1nexte_epu32(x, y));
  P128(_mm_sha1rnds4_epu32(x, y, 0)), P128(_mm_sha1rnds4_epu32(x, y, 1)), P128(_mm_sha1rnds4_epu32(x, y, 2)), P128(_mm_sha1rnds4_epu32(x, y, 3));
  P128(_mm_sha256msg1_epu32(x, y)), P128(_mm_sha256msg2_epu32(x, y)), P128(_mm_sha256rnds2_epu32(x, y, z));
  P512(_mm512_gf2p8mul_epi8(a.z, b.z)), P512(_mm512_gf2p8affine_epi64_epi8(a.z, b.z, 0x63)), P256(_mm256_gf2p8affineinv_epi64_epi8(a.y, b.y, 0x1d));
  P128(_mm_clmulepi64_si128(x, y, 0x10)), P256(_mm256_clmulepi64_epi128(a.y, b.y, 0x01)), P512(_mm512_clmulepi64_epi128(a.z, b.z, 0x11));
}
#pragma clang attribute pop

int test_main(void) {
  for (int k = 0; k < 3; k++) turn();
  return 0;
}