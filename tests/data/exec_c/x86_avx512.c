/* AVX-512 by intrinsics: masks, blends, masked and packed memory, permutations, ternary logic, narrowing, roundings of one instruction,
 * unsigned conversions, gathers and scatters, conflicts, sums of products. */
#include "out.h"
#include <immintrin.h>
#include <string.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2,avx512ifma,avx512vnni,avx512bitalg,avx512vpopcntdq"))), apply_to = function)
typedef union { __m512i i; __m512 f; __m512d d; __m256i y[2]; __m256 yf[2]; __m256d yd[2]; __m128i x[4]; __m128 xf[4]; __m128d xd[4]; unsigned char b[64]; short s[32]; int w[16]; float v[16]; double g[8]; unsigned long q[8]; } V;
static unsigned long seed = 4711;
static unsigned next(void) { seed = seed * 6364136223846793005ul + 1442695040888963407ul; return seed >> 33; }
static V random_bytes(void) { V v; for (int i = 0; i < 64; i++) v.b[i] = next() >> 7; return v; }
static V small(int most) { V v; for (int i = 0; i < 16; i++) v.w[i] = next() % most; return v; }
static V edges(void) { static const unsigned char e[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe, 0x40}; V v; for (int i = 0; i < 64; i++) v.b[i] = e[next() % 8]; return v; }
static V floats(int wild) { V v; for (int i = 0; i < 16; i++) v.v[i] = ((int)(next() % 2001) - 1000) * (next() % 3 ? 0.37f : 1e9f); if (wild) v.v[1] = __builtin_nanf(""), v.v[3] = __builtin_inff(), v.v[5] = -0.0f, v.v[7] = 1e-42f, v.v[9] = -__builtin_inff(), v.v[11] = 4294967040.0f, v.v[13] = -0.6f; return v; }
static V doubles(int wild) { V v; for (int i = 0; i < 8; i++) v.g[i] = ((int)(next() % 2001) - 1000) * (next() % 3 ? 0.37 : 1e12); if (wild) v.g[0] = __builtin_nan(""), v.g[1] = -__builtin_inf(), v.g[2] = 18446744073709549568.0, v.g[3] = -0.4, v.g[5] = 5e-324, v.g[6] = 4294967295.5; return v; }
#define I(e) ({ V r; r.i = (e); for (int k = 0; k < 8; k++) out(r.q[k]); })
#define F(e) ({ V r; r.f = (e); for (int k = 0; k < 8; k++) out(r.q[k]); })
#define D(e) ({ V r; r.d = (e); for (int k = 0; k < 8; k++) out(r.q[k]); })
#define Y(e) ({ V r; r.y[0] = (e); for (int k = 0; k < 4; k++) out(r.q[k]); })
#define YF(e) ({ V r; r.yf[0] = (e); for (int k = 0; k < 4; k++) out(r.q[k]); })
#define X(e) ({ V r; r.x[0] = (e); out(r.q[0]), out(r.q[1]); })
#define XF(e) ({ V r; r.xf[0] = (e); out(r.q[0]), out(r.q[1]); })
#define XD(e) ({ V r; r.xd[0] = (e); out(r.q[0]), out(r.q[1]); })
static int memory[64];
static void put_memory(void) { for (int k = 0; k < 64; k++) out(memory[k]), memory[k] = k * 1000003; }

static void masks(V a, V b, V f, V g, V d, V e, unsigned long m) {
  out(_mm512_cmplt_epi32_mask(a.i, b.i)), out(_mm512_cmple_epu64_mask(a.i, b.i)), out(_mm512_mask_cmpneq_epi8_mask(m, a.i, b.i)), out(_mm256_cmpgt_epu16_mask(a.y[0], b.y[0])), out(_mm512_cmp_ps_mask(f.f, g.f, _CMP_LT_OS)), out(_mm512_mask_cmp_pd_mask(m, d.d, e.d, _CMP_NLE_US));
  out(_mm256_cmp_ps_mask(f.yf[0], g.yf[0], _CMP_UNORD_Q)), out(_mm_cmp_ss_mask(f.xf[0], g.xf[0], _CMP_LE_OS)), out(_mm_mask_cmp_sd_mask(m, d.xd[0], e.xd[0], _CMP_NEQ_UQ)), out(_mm512_cmp_round_ps_mask(f.f, g.f, _CMP_GE_OQ, _MM_FROUND_NO_EXC));
  out(_mm512_test_epi32_mask(a.i, b.i)), out(_mm512_testn_epi64_mask(a.i, b.i)), out(_mm512_fpclass_ps_mask(f.f, 0x18)), out(_mm512_fpclass_pd_mask(d.d, 0x81)), out(_mm512_fpclass_ps_mask(f.f, 0x66)), out(_mm256_fpclass_ps_mask(f.yf[0], 1));
  out(_mm512_kand(m, m >> 3)), out(_mm512_kxnor(m, m >> 5)), out(_mm512_kunpackb(m, m >> 7)), out(_mm512_kortestz(m, m)), out(_mm512_kortestc(m, ~m)), out(_kadd_mask16(m, m >> 9)), out(_kadd_mask64(m, m * 3)), out(_kshiftli_mask16(m, 3)), out(_kshiftri_mask32(m, 5)), out(_ktestz_mask16_u8(m, m >> 16)), out(_ktestc_mask8_u8(m, m & 0xf)), out(_knot_mask32(m));
  I(_mm512_movm_epi8(m)), I(_mm512_movm_epi64(m)), out(_mm512_movepi8_mask(a.i)), out(_mm512_movepi32_mask(a.i)), I(_mm512_mask_blend_epi32(m, a.i, b.i)), F(_mm512_mask_blend_ps(m, f.f, g.f)), I(_mm512_maskz_mov_epi16(m, a.i)), I(_mm512_mask_add_epi8(a.i, m, a.i, b.i)), I(_mm512_mask_abs_epi64(b.i, m, a.i));
}

static void memories(V a, V b, V small, V d, unsigned long m) {
  I(_mm512_mask_loadu_epi32(a.i, m, memory)), I(_mm512_maskz_loadu_epi8(m, memory + 3)), Y(_mm256_maskz_loadu_epi64(m, memory)), _mm512_mask_storeu_epi32(memory + 1, m, a.i), _mm512_mask_storeu_epi8(memory + 20, m, b.i), put_memory();
  I(_mm512_maskz_compress_epi32(m, a.i)), I(_mm512_mask_compress_epi64(b.i, m, a.i)), I(_mm512_maskz_expand_epi32(m, a.i)), I(_mm512_mask_expand_epi64(b.i, m, a.i)), I(_mm512_maskz_compress_epi8(m, a.i)), I(_mm512_maskz_expand_epi16(m, a.i)), X(_mm_maskz_compress_epi32(m, a.x[1])), F(_mm512_maskz_compress_ps(m, a.f)), D(_mm512_mask_expand_pd(d.d, m, b.d));
  _mm512_mask_compressstoreu_epi32(memory + 2, m, a.i), _mm512_mask_compressstoreu_pd(memory + 30, m, d.d), put_memory(), I(_mm512_maskz_expandloadu_epi32(m, memory + 5)), I(_mm512_mask_expandloadu_epi64(a.i, m, memory));
  I(_mm512_i32gather_epi32(small.i, memory, 4)), I(_mm512_mask_i32gather_epi32(a.i, m, small.i, memory, 4)), D(_mm512_i32gather_pd(_mm512_castsi512_si256(small.i), memory, 4)), I(_mm512_mask_i32gather_epi64(a.i, m, small.y[0], memory, 4)), Y(_mm256_mmask_i32gather_epi32(a.y[0], m, small.y[1], memory, 4)), X(_mm_mmask_i32gather_epi32(a.x[0], m, small.x[2], memory, 2)), X(_mm_mmask_i64gather_epi32(a.x[0], m, _mm_set_epi64x(5, 9), memory, 4));
  V wide;
  for (int k = 0; k < 8; k++) wide.q[k] = small.w[k];
  I(_mm512_i64gather_epi64(wide.i, memory, 4)), Y(_mm512_i64gather_epi32(wide.i, memory, 4));
  _mm512_i32scatter_epi32(memory, small.i, a.i, 4), put_memory(), _mm512_mask_i64scatter_epi64(memory, m, wide.i, b.i, 4), put_memory(), _mm256_mask_i32scatter_epi32(memory, m, small.y[0], a.y[0], 4), _mm512_mask_i32scatter_pd(memory, m, small.y[1], d.d, 4), put_memory();
}

static void permutations(V a, V b, V c) {
  I(_mm512_permutexvar_epi32(a.i, b.i)), I(_mm512_permutexvar_epi64(a.i, b.i)), I(_mm512_permutexvar_epi16(a.i, b.i)), I(_mm512_permutexvar_epi8(a.i, b.i)), F(_mm512_permutexvar_ps(a.i, b.f)), D(_mm512_permutexvar_pd(a.i, b.d)), Y(_mm256_permutexvar_epi32(a.y[0], b.y[0])), Y(_mm256_permutexvar_epi64(a.y[0], b.y[0])), X(_mm_permutexvar_epi16(a.x[0], b.x[0]));
  I(_mm512_permutex2var_epi32(a.i, b.i, c.i)), I(_mm512_permutex2var_epi64(a.i, b.i, c.i)), I(_mm512_permutex2var_epi8(a.i, b.i, c.i)), I(_mm512_permutex2var_epi16(a.i, b.i, c.i)), D(_mm512_permutex2var_pd(a.d, b.i, c.d)), F(_mm512_permutex2var_ps(a.f, b.i, c.f)), Y(_mm256_permutex2var_epi32(a.y[0], b.y[0], c.y[0])), X(_mm_permutex2var_epi64(a.x[0], b.x[0], c.x[0])), I(_mm512_mask_permutex2var_epi32(a.i, 0x5a5a, b.i, c.i)), I(_mm512_maskz_permutexvar_epi32(0xff, a.i, b.i));
  I(_mm512_ternarylogic_epi32(a.i, b.i, c.i, 0x96)), I(_mm512_mask_ternarylogic_epi64(a.i, 0x35, b.i, c.i, 0xca)), I(_mm512_maskz_ternarylogic_epi32(0x1234, a.i, b.i, c.i, 0xe8)), Y(_mm256_ternarylogic_epi32(a.y[0], b.y[0], c.y[0], 0x03)), X(_mm_ternarylogic_epi64(a.x[0], b.x[0], c.x[0], 0x1b)), I(_mm512_ternarylogic_epi32(a.i, b.i, c.i, 0x00)), I(_mm512_ternarylogic_epi32(a.i, b.i, c.i, 0xff)), I(_mm512_ternarylogic_epi32(a.i, b.i, c.i, 0x6d));
  I(_mm512_shuffle_epi8(a.i, b.i)), I(_mm512_shuffle_i32x4(a.i, b.i, 0x1b)), I(_mm512_alignr_epi32(a.i, b.i, 3)), I(_mm512_alignr_epi8(a.i, b.i, 5)), I(_mm512_multishift_epi64_epi8(a.i, b.i)), F(_mm512_permutevar_ps(a.f, b.i)), D(_mm512_permutevar_pd(a.d, b.i)), I(_mm512_broadcast_i32x4(a.x[1])), I(_mm512_inserti64x4(a.i, b.y[0], 1));
}

static void integers(V a, V b, V c, V amounts, unsigned long m) {
  I(_mm512_sllv_epi32(a.i, amounts.i)), I(_mm512_srav_epi64(a.i, amounts.i)), I(_mm512_srlv_epi16(a.i, amounts.i)), I(_mm512_sllv_epi16(a.i, b.i)), X(_mm_srav_epi64(a.x[0], amounts.x[0])), I(_mm512_slli_epi32(a.i, 3)), I(_mm512_srai_epi64(a.i, 13)), I(_mm512_sll_epi32(a.i, amounts.x[0])), I(_mm512_sra_epi64(a.i, _mm_cvtsi32_si128(70))), I(_mm512_srl_epi16(a.i, _mm_cvtsi32_si128(5))), I(_mm512_mask_slli_epi64(b.i, m, a.i, 9));
  I(_mm512_rol_epi32(a.i, 5)), I(_mm512_rolv_epi64(a.i, b.i)), I(_mm512_rorv_epi32(a.i, b.i)), I(_mm512_shldi_epi32(a.i, b.i, 3)), I(_mm512_shrdv_epi64(a.i, b.i, c.i));
  X(_mm512_cvtepi32_epi8(a.i)), X(_mm512_cvtsepi32_epi8(amounts.i)), Y(_mm512_cvtusepi32_epi16(amounts.i)), Y(_mm512_cvtsepi64_epi32(a.i)), X(_mm512_cvtusepi64_epi8(a.i)), X(_mm_cvtepi32_epi8(a.x[0])), X(_mm256_cvtusepi64_epi16(a.y[0])), X(_mm_mask_cvtsepi16_epi8(b.x[0], m, a.x[0])), Y(_mm512_mask_cvtepi16_epi8(b.y[0], m, a.i)), X(_mm512_mask_cvtsepi64_epi16(b.x[1], m, a.i));
  _mm512_mask_cvtepi32_storeu_epi8(memory, m, a.i), _mm512_mask_cvtusepi64_storeu_epi32(memory + 9, m, b.i), put_memory();
  I(_mm512_conflict_epi32(amounts.i)), I(_mm512_conflict_epi64(amounts.i)), Y(_mm256_conflict_epi32(amounts.y[1])), I(_mm512_lzcnt_epi32(a.i)), I(_mm512_popcnt_epi64(a.i)), I(_mm512_popcnt_epi8(a.i));
  out(_mm512_reduce_add_epi32(a.i)), out(_mm512_reduce_max_epi32(a.i)), out(_mm512_reduce_min_epu64(a.i)), out(_mm512_mask_reduce_or_epi32(m, a.i));
  I(_mm512_adds_epi16(a.i, b.i)), I(_mm512_subs_epu8(a.i, b.i)), I(_mm512_sad_epu8(a.i, b.i)), I(_mm512_madd_epi16(a.i, b.i)), I(_mm512_maddubs_epi16(a.i, b.i)), I(_mm512_packs_epi32(a.i, b.i)), I(_mm512_packus_epi16(a.i, b.i)), I(_mm512_avg_epu8(a.i, b.i)), I(_mm512_mulhi_epi16(a.i, b.i)), I(_mm512_mulhrs_epi16(a.i, b.i)), I(_mm512_mul_epi32(a.i, b.i)), I(_mm512_mullo_epi64(a.i, b.i)), I(_mm512_max_epu64(a.i, b.i));
  I(_mm512_madd52lo_epu64(a.i, b.i, c.i)), I(_mm512_madd52hi_epu64(a.i, b.i, c.i)), I(_mm512_dpbusd_epi32(a.i, b.i, c.i)), I(_mm512_dpbusds_epi32(a.i, b.i, c.i)), I(_mm512_dpwssd_epi32(a.i, b.i, c.i)), I(_mm512_dpwssds_epi32(a.i, b.i, c.i)), I(_mm512_mask_dpbusd_epi32(a.i, m, b.i, c.i)), out(_mm512_bitshuffle_epi64_mask(a.i, b.i));
}

#define UP (_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)
#define DOWN (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define CUT (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define NEAR (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
static void reals(V f, V g, V d, V e, V a, unsigned long m) {
  __m128 x = f.xf[0], y = g.xf[0];
  __m128d p = d.xd[0], q = e.xd[0];
  F(_mm512_max_ps(f.f, g.f)), D(_mm512_min_pd(d.d, e.d)), F(_mm512_mask_add_ps(g.f, m, f.f, g.f)), F(_mm512_sqrt_ps(_mm512_abs_ps(f.f))), F(_mm512_fmadd_ps(f.f, g.f, f.f)), F(_mm512_fmaddsub_ps(f.f, g.f, g.f)), D(_mm512_mask_fmadd_pd(d.d, m, e.d, d.d));
  F(_mm512_add_round_ps(f.f, g.f, CUT)), D(_mm512_sub_round_pd(d.d, e.d, UP)), F(_mm512_mul_round_ps(f.f, g.f, DOWN)), D(_mm512_div_round_pd(d.d, e.d, NEAR)), F(_mm512_div_round_ps(f.f, g.f, UP)), D(_mm512_sqrt_round_pd(_mm512_abs_pd(d.d), DOWN)), D(_mm512_fmadd_round_pd(d.d, e.d, d.d, CUT)), F(_mm512_mask_mul_round_ps(f.f, m, f.f, g.f, UP));
  XF(_mm_add_round_ss(x, y, UP)), XD(_mm_mul_round_sd(p, q, DOWN)), XF(_mm_mask_div_round_ss(x, m, y, x, CUT)), XF(_mm_mask_max_ss(x, m, y, x)), XD(_mm_maskz_min_sd(m, p, q)), XF(_mm_mask_add_ss(x, m, y, x)), XF(_mm_mask_sqrt_ss(x, m, y, _mm_set_ss(2.5f))), XD(_mm_sqrt_round_sd(p, _mm_set_sd(3), UP)), XF(_mm_mask_fmadd_ss(x, m, y, x));
  I(_mm512_cvtps_epi32(f.f)), I(_mm512_cvttps_epi32(f.f)), I(_mm512_cvtps_epu32(f.f)), I(_mm512_cvttps_epu32(f.f)), Y(_mm512_cvtpd_epi32(d.d)), Y(_mm512_cvttpd_epu32(d.d)), I(_mm512_cvttpd_epi64(d.d)), I(_mm512_cvtpd_epu64(d.d)), I(_mm512_cvttpd_epu64(d.d)), I(_mm512_cvt_roundps_epi32(f.f, UP)), I(_mm512_cvt_roundpd_epi64(d.d, DOWN)), I(_mm512_cvttps_epi64(f.yf[0])), I(_mm512_mask_cvtps_epu32(a.i, m, f.f));
  Y(_mm256_cvtps_epu32(f.yf[1])), Y(_mm256_cvttpd_epu64(d.yd[0])), X(_mm_cvtpd_epi64(p)), X(_mm_cvttps_epu32(x)), X(_mm256_cvtpd_epu32(d.yd[0])), X(_mm_cvtpd_epu32(p)), YF(_mm256_cvtepu32_ps(a.y[0])), F(_mm512_cvtepi32_ps(a.i)), F(_mm512_cvtepu32_ps(a.i)), D(_mm512_cvtepu64_pd(a.i)), F(_mm512_cvt_roundepi32_ps(a.i, UP)), D(_mm512_cvt_roundepu64_pd(a.i, DOWN)), YF(_mm512_cvtepi64_ps(a.i));
  YF(_mm512_cvtpd_ps(d.d)), YF(_mm512_cvt_roundpd_ps(d.d, UP)), D(_mm512_cvtps_pd(f.yf[0])), F(_mm512_cvtph_ps(a.y[0])), Y(_mm512_cvtps_ph(g.f, NEAR)), Y(_mm512_cvtps_ph(f.f, CUT)), Y(_mm512_maskz_cvtps_ph(m, g.f, UP));
  out(_mm_cvtss_u32(x)), out(_mm_cvttsd_u64(p)), out(_mm_cvttss_u64(y)), out(_mm_cvtsd_u32(q)), out(_mm_cvt_roundss_i32(x, UP)), out(_mm_cvt_roundsd_i64(p, DOWN)), out(_mm_cvt_roundss_u64(y, CUT)), out(_mm_comi_round_ss(x, y, _CMP_LT_OS, NEAR)), out(_mm_comi_round_sd(p, q, _CMP_NEQ_UQ, 8));
  F(_mm512_roundscale_ps(f.f, 1)), F(_mm512_roundscale_ps(f.f, 0x22)), D(_mm512_roundscale_pd(d.d, 0x13)), D(_mm512_mask_roundscale_pd(e.d, m, d.d, 0)), YF(_mm256_roundscale_ps(f.yf[0], 4)), XF(_mm_roundscale_ss(x, y, 0x31)), XD(_mm_mask_roundscale_sd(p, m, q, p, 2));
  out(_mm512_reduce_add_epi64(_mm512_castpd_si512(d.d)));
  float sum = _mm512_reduce_add_ps(g.f), most = _mm512_reduce_max_ps(g.f);
  unsigned bits[2];
  memcpy(bits, &sum, 4), memcpy(bits + 1, &most, 4), out(bits[0]), out(bits[1]);
}
#pragma clang attribute pop

int test_main(void) {
  for (int k = 0; k < 64; k++) memory[k] = k * 1000003;
  for (int round = 0; round < 3; round++) {
    unsigned long m = (unsigned long)next() << 33 ^ (unsigned long)next() << 11 ^ next();
    masks(random_bytes(), round ? random_bytes() : edges(), floats(1), floats(0), doubles(1), doubles(0), m), masks(edges(), edges(), floats(0), floats(1), doubles(0), doubles(1), m >> 7);
    memories(random_bytes(), random_bytes(), small(40), doubles(0), m);
    permutations(random_bytes(), random_bytes(), random_bytes());
    integers(random_bytes(), random_bytes(), random_bytes(), small(40), m), integers(edges(), edges(), edges(), small(3), m >> 5);
    reals(floats(round), floats(0), doubles(round), doubles(0), random_bytes(), m), reals(floats(0), floats(0), doubles(0), doubles(0), edges(), m >> 3);
  }
  return 0;
}
