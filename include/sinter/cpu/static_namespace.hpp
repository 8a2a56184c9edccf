// SINTER_STATIC_NAMESPACE: the name of the inline namespace that holds kernels, after the instruction sets that this
// unit is compiled for.
//
// Units compiled for different ones may meet in one program. A linker keeps one of several equal definitions; with
// this name in it, none of them is equal to one that another processor needs.
#pragma once

#if defined(__AVX512VNNI__) && defined(__AVX512VBMI2__)
#define SINTER_INSTRUCTION_SET avx512_vnni_vbmi2
#elif defined(__AVX512VNNI__)
#define SINTER_INSTRUCTION_SET avx512_vnni
#elif defined(__AVX512VBMI2__)
#define SINTER_INSTRUCTION_SET avx512_vbmi2
#elif defined(__AVX512VBMI__)
#define SINTER_INSTRUCTION_SET avx512_vbmi
#elif defined(__AVX512IFMA__)
#define SINTER_INSTRUCTION_SET avx512_ifma
#elif defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SINTER_INSTRUCTION_SET avx512
#elif defined(__AVX512BW__)
#define SINTER_INSTRUCTION_SET avx512_bw
#elif defined(__AVX512DQ__)
#define SINTER_INSTRUCTION_SET avx512_dq
#elif defined(__AVX512VL__)
#define SINTER_INSTRUCTION_SET avx512_vl
#elif defined(__AVX512CD__)
#define SINTER_INSTRUCTION_SET avx512_cd
#elif defined(__AVX512F__)
#define SINTER_INSTRUCTION_SET avx512_f
#elif defined(__AVXVNNI__)
#define SINTER_INSTRUCTION_SET avx_vnni
#elif defined(__AVX2__)
#define SINTER_INSTRUCTION_SET avx2
#elif defined(__AVX__)
#define SINTER_INSTRUCTION_SET avx
#elif defined(__SSE4_2__)
#define SINTER_INSTRUCTION_SET sse4_2
#elif defined(__SSE4_1__)
#define SINTER_INSTRUCTION_SET sse4_1
#elif defined(__SSSE3__)
#define SINTER_INSTRUCTION_SET ssse3
#elif defined(__SSE3__)
#define SINTER_INSTRUCTION_SET sse3
#elif defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#define SINTER_INSTRUCTION_SET sse2
#elif defined(__ARM_FEATURE_SVE)
#define SINTER_INSTRUCTION_SET sve
#elif defined(__ARM_FEATURE_MATMUL_INT8)
#define SINTER_INSTRUCTION_SET neon_i8mm
#elif defined(__ARM_NEON)
#define SINTER_INSTRUCTION_SET neon
#else
#define SINTER_INSTRUCTION_SET baseline
#endif

// What compilers add to those one by one.
#ifdef __FMA__
#define SINTER_AND_FMA _fma
#else
#define SINTER_AND_FMA
#endif
#ifdef __F16C__
#define SINTER_AND_F16C _f16c
#else
#define SINTER_AND_F16C
#endif
#ifdef __BMI2__
#define SINTER_AND_BMI2 _bmi2
#else
#define SINTER_AND_BMI2
#endif
#ifdef __AES__
#define SINTER_AND_AES _aes
#else
#define SINTER_AND_AES
#endif

#define SINTER_JOIN_NAMES(set, fma, f16c, bmi2, aes) compiled_for_##set##fma##f16c##bmi2##aes
#define SINTER_JOIN_EXPANDED(set, fma, f16c, bmi2, aes) SINTER_JOIN_NAMES(set, fma, f16c, bmi2, aes)
#define SINTER_STATIC_NAMESPACE \
    SINTER_JOIN_EXPANDED(SINTER_INSTRUCTION_SET, SINTER_AND_FMA, SINTER_AND_F16C, SINTER_AND_BMI2, SINTER_AND_AES)
