/* x86's vector instructions that clang leaves as such, and scalar ones: SSE to AVX2, BMI, CRC-32C, carry-less products. */
#include "out.h"
#include <immintrin.h>
#include <string.h>
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul,f16c,fma,sse4.2"))), apply_to = function)
typedef union { __m256i i; __m256 f; __m256d d; __m128i h[2]; __m128 hf[2]; __m128d hd[2]; unsigned char b[32]; short s[16]; int w[8]; float x[8]; double y[4]; unsigned long q[4]; } V;
static unsigned long seed = 12345;
static unsigned next(void) { seed = seed * 6364136223846793005ul + 1442695040888963407ul; return seed >> 33; }
static V random_bytes(void) { V v; for (int i = 0; i < 32; i++) v.b[i] = next() >> 7; return v; }
static V edges(void) { static const unsigned char e[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe, 0x40}; V v; for (int i = 0; i < 32; i++) v.b[i] = e[next() % 8]; return v; }
static V floats(void) { V v; for (int i = 0; i < 8; i++) v.x[i] = ((int)(next() % 2001) - 1000) * (next() % 3 ? 0.37f : 1e9f); return v; }
static V doubles(void) { V v; for (int i = 0; i < 4; i++) v.y[i] = ((int)(next() % 2001) - 1000) * (next() % 3 ? 0.37 : 1e12); return v; }
static void put(V v) { for (int i = 0; i < 4; i++) out(v.q[i]); }
#define I256(e) ({ V r; r.i = (e); put(r); })
#define F256(e) ({ V r; r.f = (e); put(r); })
#define D256(e) ({ V r; r.d = (e); put(r); })
#define I128(e) ({ V r = {0}; r.h[0] = (e); put(r); })
#define F128(e) ({ V r = {0}; r.hf[0] = (e); put(r); })
#define D128(e) ({ V r = {0}; r.hd[0] = (e); put(r); })

static void integers(V a, V b, V c) {
  __m128i x = a.h[0], y = b.h[0], z = c.h[0];
  I256(_mm256_shuffle_epi8(a.i, b.i)), I128(_mm_shuffle_epi8(x, y));
  I256(_mm256_madd_epi16(a.i, b.i)), I128(_mm_madd_epi16(x, y)), I256(_mm256_maddubs_epi16(a.i, b.i)), I128(_mm_maddubs_epi16(x, y));
  I256(_mm256_sad_epu8(a.i, b.i)), I128(_mm_sad_epu8(x, y));
  I256(_mm256_packs_epi16(a.i, b.i)), I256(_mm256_packus_epi16(a.i, b.i)), I256(_mm256_packs_epi32(a.i, b.i)), I256(_mm256_packus_epi32(a.i, b.i));
  I128(_mm_packs_epi16(x, y)), I128(_mm_packus_epi16(x, y)), I128(_mm_packs_epi32(x, y)), I128(_mm_packus_epi32(x, y));
  I256(_mm256_avg_epu8(a.i, b.i)), I256(_mm256_avg_epu16(a.i, b.i)), I128(_mm_avg_epu8(x, y)), I128(_mm_avg_epu16(x, y));
  I256(_mm256_mulhi_epi16(a.i, b.i)), I256(_mm256_mulhi_epu16(a.i, b.i)), I256(_mm256_mulhrs_epi16(a.i, b.i)), I128(_mm_mulhi_epi16(x, y)),
  I128(_mm_mulhi_epu16(x, y)), I128(_mm_mulhrs_epi16(x, y));
  I256(_mm256_mul_epi32(a.i, b.i)), I256(_mm256_mul_epu32(a.i, b.i)), I128(_mm_mul_epi32(x, y)), I128(_mm_mul_epu32(x, y));
  I256(_mm256_sign_epi8(a.i, b.i)), I256(_mm256_sign_epi16(a.i, b.i)), I256(_mm256_sign_epi32(a.i, b.i)), I128(_mm_sign_epi8(x, y)), I128(_mm_sign_epi16(x, y)), I128(_mm_sign_epi32(x, y));
  I256(_mm256_hadd_epi16(a.i, b.i)), I256(_mm256_hadd_epi32(a.i, b.i)), I256(_mm256_hsub_epi16(a.i, b.i)), I256(_mm256_hsub_epi32(a.i, b.i)),
  I256(_mm256_hadds_epi16(a.i, b.i)), I256(_mm256_hsubs_epi16(a.i, b.i));
  I128(_mm_hadd_epi16(x, y)), I128(_mm_hadd_epi32(x, y)), I128(_mm_hsub_epi16(x, y)), I128(_mm_hsub_epi32(x, y)), I128(_mm_hadds_epi16(x, y)), I128(_mm_hsubs_epi16(x, y));
  for (int n = 0; n < 70; n += 9) {
    __m128i count = _mm_cvtsi32_si128(n);
  I256(_mm256_sll_epi16(a.i, count)), I256(_mm256_sll_epi32(a.i, count)), I256(_mm256_sll_epi64(a.i, count)), I256(_mm256_srl_epi16(a.i, count)),
  I256(_mm256_srl_epi32(a.i, count)), I256(_mm256_srl_epi64(a.i, count)), I256(_mm256_sra_epi16(a.i, count)), I256(_mm256_sra_epi32(a.i, count));
    I128(_mm_sll_epi16(x, count)), I128(_mm_srl_epi32(x, count)), I128(_mm_sra_epi32(x, count)), I128(_mm_sll_epi64(x, count));
    I256(_mm256_slli_epi16(a.i, n)), I256(_mm256_srli_epi32(a.i, n)), I256(_mm256_srai_epi16(a.i, n)), I128(_mm_slli_epi32(x, n)), I128(_mm_srli_epi64(x, n)), I128(_mm_srai_epi32(x, n));
  }
  I256(_mm256_slli_epi64(a.i, 13)), I256(_mm256_srai_epi32(a.i, 31)), I128(_mm_srli_epi16(x, 3)), I128(_mm_srai_epi16(x, 15)),
  I128(_mm_slli_si128(x, 5)), I256(_mm256_srli_si256(a.i, 3)), I256(_mm256_alignr_epi8(a.i, b.i, 7));
  V amounts = {.w = {0, 1, 31, 32, 33, -1, 7, 64}}, wide = {.q = {0, 63, 64, ~0ul}};
  I256(_mm256_sllv_epi32(a.i, amounts.i)), I256(_mm256_srlv_epi32(a.i, amounts.i)), I256(_mm256_srav_epi32(a.i, amounts.i)),
  I256(_mm256_sllv_epi64(a.i, wide.i)), I256(_mm256_srlv_epi64(a.i, wide.i)), I128(_mm_sllv_epi32(x, amounts.h[0])),
  I128(_mm_srav_epi32(x, amounts.h[1])), I128(_mm_srlv_epi64(x, wide.h[1]));
  I256(_mm256_permutevar8x32_epi32(a.i, b.i)), I256(_mm256_blendv_epi8(a.i, b.i, c.i)), I128(_mm_blendv_epi8(x, y, z)),
  F256(_mm256_permutevar8x32_ps(a.f, b.i)), I256(_mm256_permute2x128_si256(a.i, b.i, 0x21)), I256(_mm256_permute4x64_epi64(a.i, 0x1b));
  out(_mm256_movemask_epi8(a.i)), out(_mm_movemask_epi8(x)), out(_mm256_movemask_ps(a.f)), out(_mm256_movemask_pd(a.d)), out(_mm_movemask_ps(a.hf[0])), out(_mm_movemask_pd(a.hd[0]));
  out(_mm256_testz_si256(a.i, b.i)), out(_mm256_testc_si256(a.i, b.i)), out(_mm256_testnzc_si256(a.i, b.i)), out(_mm_testz_si128(x, y)),
  out(_mm_testc_si128(x, _mm_and_si128(x, y))), out(_mm_testnzc_si128(x, y)), out(_mm_test_all_ones(x)),
  out(_mm256_testz_si256(a.i, _mm256_setzero_si256()));
  out(_mm256_testz_ps(a.f, b.f)), out(_mm256_testc_ps(a.f, b.f)), out(_mm256_testnzc_ps(a.f, b.f)), out(_mm256_testz_pd(a.d, b.d)),
  out(_mm256_testc_pd(a.d, b.d)), out(_mm_testz_ps(a.hf[0], b.hf[0])), out(_mm_testnzc_pd(a.hd[0], b.hd[0]));
  I128(_mm_minpos_epu16(x)), I128(_mm_insert_epi16(x, 7, 3)), I256(_mm256_abs_epi8(a.i)), I256(_mm256_max_epu8(a.i, b.i)),
  I256(_mm256_adds_epi8(a.i, b.i)), I256(_mm256_subs_epu16(a.i, b.i)), I256(_mm256_cmpgt_epi64(a.i, b.i)), I256(_mm256_cvtepi8_epi16(x)),
  I256(_mm256_cvtepu16_epi64(x)), I256(_mm256_mullo_epi32(a.i, b.i)), I256(_mm256_unpackhi_epi8(a.i, b.i));
  I128(_mm_clmulepi64_si128(x, y, 0)), I128(_mm_clmulepi64_si128(x, y, 0x11)), I128(_mm_clmulepi64_si128(x, y, 0x10)), I128(_mm_clmulepi64_si128(x, y, 1));
  I256(_mm256_lddqu_si256(&a.i)), I128(_mm_lddqu_si128(&y)), I256(_mm256_stream_load_si256(&b.i));
}

static void scalars(unsigned long a, unsigned long b) {
  out(_mm_crc32_u8(a, b)), out(_mm_crc32_u16(a, b)), out(_mm_crc32_u32(a, b)), out(_mm_crc32_u64(a, b));
  out(_pext_u32(a, b)), out(_pext_u64(a, b)), out(_pdep_u32(a, b)), out(_pdep_u64(a, b)), out(_bextr_u32(a, b & 31, b >> 8 & 63)),
  out(_bextr_u64(a, b & 127, b >> 8 & 127)), out(_bzhi_u32(a, b & 63)), out(_bzhi_u64(a, b & 255));
  out(_andn_u64(a, b)), out(_blsi_u64(a)), out(_blsr_u32(a)), out(_blsmsk_u64(a)), out(_lzcnt_u64(a)), out(_tzcnt_u32(a)), out(_mm_popcnt_u64(a));
  unsigned long long high, sum, rest;
  out(_mulx_u64(a, b, &high)), out(high), out(_addcarry_u64(1, a, b, &sum)), out(sum), out(_subborrow_u64(1, a, b, &rest)), out(rest);
  unsigned half;
  out(_addcarry_u32(a & 1, a, b, &half)), out(half), out(_subborrow_u32(b & 1, a, b, &half)), out(half);
}

static void reals(V a, V b, V d, V e) {
  __m128 x = a.hf[0], y = b.hf[0];
  __m128d p = d.hd[0], q = e.hd[0];
  F256(_mm256_min_ps(a.f, b.f)), F256(_mm256_max_ps(a.f, b.f)), D256(_mm256_min_pd(d.d, e.d)), D256(_mm256_max_pd(d.d, e.d)), F128(_mm_min_ps(x, y)),
  F128(_mm_max_ps(x, y)), D128(_mm_min_pd(p, q)), D128(_mm_max_pd(p, q)), F128(_mm_min_ss(x, y)), F128(_mm_max_ss(x, y)), D128(_mm_min_sd(p, q)),
  D128(_mm_max_sd(p, q));
#define COMPARE(n) F256(_mm256_cmp_ps(a.f, b.f, n)), D256(_mm256_cmp_pd(d.d, e.d, n)), F128(_mm_cmp_ps(x, y, n)), F128(_mm_cmp_ss(x, y, n)), D128(_mm_cmp_sd(p, q, n))
  COMPARE(0), COMPARE(1), COMPARE(2), COMPARE(3), COMPARE(4), COMPARE(5), COMPARE(6), COMPARE(7), COMPARE(8), COMPARE(9), COMPARE(10), COMPARE(11), COMPARE(12), COMPARE(13), COMPARE(14), COMPARE(15), COMPARE(17), COMPARE(30);
  F128(_mm_cmplt_ss(x, y)), F128(_mm_cmpunord_ps(x, y)), D128(_mm_cmpneq_sd(p, q)), F128(_mm_cmpnge_ss(x, y)), D128(_mm_cmpord_pd(p, q));
  out(_mm_comilt_ss(x, y)), out(_mm_comieq_ss(x, x)), out(_mm_ucomigt_sd(p, q)), out(_mm_comineq_sd(p, p)), out(_mm_ucomile_ss(x, y)),
  out(_mm_comige_sd(p, q)), out(_mm_comigt_ss(x, y)), out(_mm_ucomineq_ss(x, y)), out(_mm_comile_sd(p, q)), out(_mm_ucomieq_sd(p, q)),
  out(_mm_ucomilt_sd(p, q)), out(_mm_ucomige_ss(x, y));
#define ROUND(n) F256(_mm256_round_ps(a.f, n)), D256(_mm256_round_pd(d.d, n)), F128(_mm_round_ps(x, n)), F128(_mm_round_ss(x, y, n)), D128(_mm_round_sd(p, q, n)), D128(_mm_round_pd(p, n))
  ROUND(0), ROUND(1), ROUND(2), ROUND(3), ROUND(8), ROUND(11), ROUND(12), ROUND(4);
  F256(_mm256_addsub_ps(a.f, b.f)), D256(_mm256_addsub_pd(d.d, e.d)), F128(_mm_addsub_ps(x, y)), D128(_mm_addsub_pd(p, q)),
  F256(_mm256_hadd_ps(a.f, b.f)), D256(_mm256_hadd_pd(d.d, e.d)), F256(_mm256_hsub_ps(a.f, b.f)), D256(_mm256_hsub_pd(d.d, e.d)),
  F128(_mm_hadd_ps(x, y)), D128(_mm_hadd_pd(p, q)), F128(_mm_hsub_ps(x, y)), D128(_mm_hsub_pd(p, q));
  F256(_mm256_dp_ps(a.f, b.f, 0xd3)), F128(_mm_dp_ps(x, y, 0x7f)), D128(_mm_dp_pd(p, q, 0x31)), F256(_mm256_sqrt_ps(_mm256_mul_ps(a.f, a.f))), D128(_mm_sqrt_sd(p, _mm_mul_sd(q, q)));
  out(_mm_cvtss_si32(x)), out(_mm_cvtss_si64(x)), out(_mm_cvttss_si32(x)), out(_mm_cvttss_si64(x)), out(_mm_cvtsd_si32(p)), out(_mm_cvtsd_si64(p)),
  out(_mm_cvttsd_si32(p)), out(_mm_cvttsd_si64(p));
  I256(_mm256_cvtps_epi32(a.f)), I256(_mm256_cvttps_epi32(a.f)), I128(_mm256_cvtpd_epi32(d.d)), I128(_mm256_cvttpd_epi32(d.d)),
  I128(_mm_cvtps_epi32(x)), I128(_mm_cvttps_epi32(x)), I128(_mm_cvtpd_epi32(p)), I128(_mm_cvttpd_epi32(p)), F128(_mm256_cvtpd_ps(d.d)),
  F128(_mm_cvtpd_ps(p)), F128(_mm_cvtsd_ss(x, p)), D128(_mm_cvtss_sd(p, x)), F256(_mm256_cvtepi32_ps(a.i)), D256(_mm256_cvtps_pd(x)),
  F128(_mm_cvtsi64_ss(x, -7)), D128(_mm_cvtsi32_sd(p, 9));
  F256(_mm256_blendv_ps(a.f, b.f, d.f)), D256(_mm256_blendv_pd(d.d, e.d, a.d)), F128(_mm_blendv_ps(x, y, d.hf[0])), D128(_mm_blendv_pd(p, q, a.hd[0])),
  F256(_mm256_permutevar_ps(a.f, e.i)), D256(_mm256_permutevar_pd(d.d, a.i)), F128(_mm_permutevar_ps(x, b.h[0])), D128(_mm_permutevar_pd(p, b.h[0])),
  F128(_mm_insert_ps(x, y, 0x6a)), F256(_mm256_permute2f128_ps(a.f, b.f, 0x83));
  F256(_mm256_fmadd_ps(a.f, b.f, a.f)), D256(_mm256_fmsub_pd(d.d, e.d, d.d)), F256(_mm256_fmaddsub_ps(a.f, b.f, b.f)), D128(_mm_fnmadd_sd(_mm_set_sd(3.25), _mm_set_sd(0.1), p)),
  F128(_mm_fmsubadd_ps(x, y, x)), D256(_mm256_fmaddsub_pd(d.d, e.d, e.d));
  F256(_mm256_cvtph_ps(a.h[0])), F128(_mm_cvtph_ps(b.h[1]));
}
#pragma clang attribute pop

int test_main(void) {
  for (int round = 0; round < 3; round++) {
    integers(random_bytes(), random_bytes(), random_bytes()), integers(edges(), edges(), random_bytes());
    scalars((unsigned long)next() << 33 ^ next() << 8 ^ next(), (unsigned long)next() << 32 | next());
    V nan = floats(), wide = doubles();
  nan.x[2] = __builtin_nanf(""), nan.x[0] = round == 1 ? __builtin_nanf("") : round == 2 ? -0.0f : nan.x[0], wide.y[0] = round == 1 ? __builtin_inf() : round == 2 ? __builtin_nan("") : wide.y[0];
    reals(floats(), floats(), doubles(), doubles()), reals(nan, floats(), wide, doubles()), reals(floats(), nan, doubles(), wide);
  }
  return 0;
}
