// Loops with the instructions that x86-64 machines may have, chosen when the program runs.
#include "limits/limits.h"

#if !defined(__x86_64__)

namespace belay::bench {
void AddX86Loops(std::vector<LimitLoop>&) {}
}  // namespace belay::bench

#else

#include <immintrin.h>

#define BELAY_BENCH_AVX2 __attribute__((target("avx2,f16c")))
#define BELAY_BENCH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))

namespace belay::bench {
namespace {

constexpr long long kMark = 1LL << 46;

// Without a target of their own, so that they are inlined into functions of any.
const __m256i* In(const std::byte* at) { return reinterpret_cast<const __m256i*>(at); }
__m256i* Out(std::byte* at) { return reinterpret_cast<__m256i*>(at); }

BELAY_BENCH_AVX2 void ReadAvx2(std::byte*, std::size_t, const std::byte* src, std::size_t bytes) {
  __m256i a = _mm256_setzero_si256();
  __m256i b = a;
  __m256i c = a;
  __m256i d = a;
  for (std::size_t i = 0; i < bytes; i += 128) {
    a = _mm256_or_si256(a, _mm256_load_si256(In(src + i)));
    b = _mm256_or_si256(b, _mm256_load_si256(In(src + i + 32)));
    c = _mm256_or_si256(c, _mm256_load_si256(In(src + i + 64)));
    d = _mm256_or_si256(d, _mm256_load_si256(In(src + i + 96)));
  }
  a = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
  asm volatile("" : : "x"(a) : "memory");
}

BELAY_BENCH_AVX512 void ReadAvx512(std::byte*, std::size_t, const std::byte* src,
                                   std::size_t bytes) {
  __m512i a = _mm512_setzero_si512();
  __m512i b = a;
  __m512i c = a;
  __m512i d = a;
  for (std::size_t i = 0; i < bytes; i += 256) {
    a = _mm512_or_si512(a, _mm512_load_si512(src + i));
    b = _mm512_or_si512(b, _mm512_load_si512(src + i + 64));
    c = _mm512_or_si512(c, _mm512_load_si512(src + i + 128));
    d = _mm512_or_si512(d, _mm512_load_si512(src + i + 192));
  }
  a = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
  asm volatile("" : : "v"(a) : "memory");
}

BELAY_BENCH_AVX2 void FillAvx2(std::byte* dst, std::size_t bytes, const std::byte*, std::size_t) {
  const __m256i value = _mm256_set1_epi8(1);
  for (std::size_t i = 0; i < bytes; i += 64) {
    _mm256_store_si256(Out(dst + i), value);
    _mm256_store_si256(Out(dst + i + 32), value);
  }
}

BELAY_BENCH_AVX512 void FillAvx512(std::byte* dst, std::size_t bytes, const std::byte*,
                                   std::size_t) {
  const __m512i value = _mm512_set1_epi8(1);
  for (std::size_t i = 0; i < bytes; i += 128) {
    _mm512_store_si512(dst + i, value);
    _mm512_store_si512(dst + i + 64, value);
  }
}

BELAY_BENCH_AVX2 void FillStream(std::byte* dst, std::size_t bytes, const std::byte*, std::size_t) {
  const __m256i value = _mm256_set1_epi8(1);
  for (std::size_t i = 0; i < bytes; i += 64) {
    _mm256_stream_si256(Out(dst + i), value);
    _mm256_stream_si256(Out(dst + i + 32), value);
  }
  _mm_sfence();
}

void FillRep(std::byte* dst, std::size_t bytes, const std::byte*, std::size_t) {
  asm volatile("rep stosb" : "+D"(dst), "+c"(bytes) : "a"(1) : "memory");
}

BELAY_BENCH_AVX2 void CopyAvx2(std::byte* dst, std::size_t bytes, const std::byte* src,
                               std::size_t) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    const __m256i a = _mm256_load_si256(In(src + i));
    const __m256i b = _mm256_load_si256(In(src + i + 32));
    _mm256_store_si256(Out(dst + i), a);
    _mm256_store_si256(Out(dst + i + 32), b);
  }
}

BELAY_BENCH_AVX512 void CopyAvx512(std::byte* dst, std::size_t bytes, const std::byte* src,
                                   std::size_t) {
  for (std::size_t i = 0; i < bytes; i += 128) {
    const __m512i a = _mm512_load_si512(src + i);
    const __m512i b = _mm512_load_si512(src + i + 64);
    _mm512_store_si512(dst + i, a);
    _mm512_store_si512(dst + i + 64, b);
  }
}

BELAY_BENCH_AVX2 void CopyStream(std::byte* dst, std::size_t bytes, const std::byte* src,
                                 std::size_t) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    const __m256i a = _mm256_load_si256(In(src + i));
    const __m256i b = _mm256_load_si256(In(src + i + 32));
    _mm256_stream_si256(Out(dst + i), a);
    _mm256_stream_si256(Out(dst + i + 32), b);
  }
  _mm_sfence();
}

void CopyRep(std::byte* dst, std::size_t bytes, const std::byte* src, std::size_t) {
  asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

BELAY_BENCH_AVX2 void AddFp16Avx2(std::byte* dst, std::size_t bytes, const std::byte* src,
                                  std::size_t) {
  for (std::size_t i = 0; i < bytes; i += 16) {
    auto* sums = reinterpret_cast<__m128i*>(dst + i);
    const auto* addends = reinterpret_cast<const __m128i*>(src + i);
    const __m256 sum = _mm256_add_ps(_mm256_cvtph_ps(_mm_load_si128(sums)),
                                     _mm256_cvtph_ps(_mm_load_si128(addends)));
    _mm_store_si128(sums, _mm256_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
  }
}

BELAY_BENCH_AVX512 void AddFp16Avx512(std::byte* dst, std::size_t bytes, const std::byte* src,
                                      std::size_t) {
  for (std::size_t i = 0; i < bytes; i += 32) {
    const __m512 sum = _mm512_add_ps(_mm512_cvtph_ps(_mm256_load_si256(In(dst + i))),
                                     _mm512_cvtph_ps(_mm256_load_si256(In(src + i))));
    _mm256_store_si256(Out(dst + i), _mm512_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
  }
}

BELAY_BENCH_AVX512 __m512 WidenBf16(const std::byte* at) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_load_si256(In(at)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

BELAY_BENCH_AVX512 void AddBf16Avx512(std::byte* dst, std::size_t bytes, const std::byte* src,
                                      std::size_t) {
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i half = _mm512_set1_epi32(0x7FFF);
  for (std::size_t i = 0; i < bytes; i += 32) {
    const __m512i bits = _mm512_castps_si512(_mm512_add_ps(WidenBf16(dst + i), WidenBf16(src + i)));
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), one);
    const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(half, odd));
    _mm256_store_si256(Out(dst + i), _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16)));
  }
}

// The instruction takes subnormals for zero, which is no matter to a limit.
__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) void AddBf16Native(
    std::byte* dst, std::size_t bytes, const std::byte* src, std::size_t) {
  for (std::size_t i = 0; i < bytes; i += 32) {
    const __m512 sum = _mm512_add_ps(WidenBf16(dst + i), WidenBf16(src + i));
    const __m256bh narrow = _mm512_cvtneps_pbh(sum);
    __builtin_memcpy(dst + i, &narrow, sizeof(narrow));
  }
}

BELAY_BENCH_AVX2 void ExpandAvx2(std::byte* dst, std::size_t, const std::byte* src,
                                 std::size_t bytes) {
  const __m256i mark = _mm256_set1_epi64x(kMark);
  for (std::size_t i = 0; i < bytes; i += 16) {
    const __m128i narrow = _mm_load_si128(reinterpret_cast<const __m128i*>(src + i));
    _mm256_store_si256(Out(dst + 2 * i), _mm256_or_si256(_mm256_cvtepu32_epi64(narrow), mark));
  }
}

BELAY_BENCH_AVX512 void ExpandAvx512(std::byte* dst, std::size_t, const std::byte* src,
                                     std::size_t bytes) {
  const __m512i mark = _mm512_set1_epi64(kMark);
  for (std::size_t i = 0; i < bytes; i += 32) {
    const __m256i narrow = _mm256_load_si256(In(src + i));
    _mm512_store_si512(dst + 2 * i, _mm512_or_si512(_mm512_cvtepu32_epi64(narrow), mark));
  }
}

BELAY_BENCH_AVX2 void ExpandStream(std::byte* dst, std::size_t, const std::byte* src,
                                   std::size_t bytes) {
  const __m256i mark = _mm256_set1_epi64x(kMark);
  for (std::size_t i = 0; i < bytes; i += 32) {
    const __m256i narrow = _mm256_load_si256(In(src + i));
    const __m256i low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(narrow));
    const __m256i high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(narrow, 1));
    _mm256_stream_si256(Out(dst + 2 * i), _mm256_or_si256(low, mark));
    _mm256_stream_si256(Out(dst + 2 * i + 32), _mm256_or_si256(high, mark));
  }
  _mm_sfence();
}

}  // namespace

void AddX86Loops(std::vector<LimitLoop>& loops) {
  loops.push_back({"rep stosb", Kind::kFill, FillRep});
  loops.push_back({"rep movsb", Kind::kCopy, CopyRep});
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("f16c") != 0) {
    loops.push_back({"AVX2", Kind::kRead, ReadAvx2});
    loops.push_back({"AVX2", Kind::kFill, FillAvx2});
    loops.push_back({"non-temporal", Kind::kFill, FillStream});
    loops.push_back({"AVX2", Kind::kCopy, CopyAvx2});
    loops.push_back({"non-temporal", Kind::kCopy, CopyStream});
    loops.push_back({"AVX2", Kind::kAddFp16, AddFp16Avx2});
    loops.push_back({"AVX2", Kind::kExpand, ExpandAvx2});
    loops.push_back({"non-temporal", Kind::kExpand, ExpandStream});
  }
  if (__builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0) {
    loops.push_back({"AVX-512", Kind::kRead, ReadAvx512});
    loops.push_back({"AVX-512", Kind::kFill, FillAvx512});
    loops.push_back({"AVX-512", Kind::kCopy, CopyAvx512});
    loops.push_back({"AVX-512", Kind::kAddFp16, AddFp16Avx512});
    loops.push_back({"AVX-512", Kind::kAddBf16, AddBf16Avx512});
    loops.push_back({"AVX-512", Kind::kExpand, ExpandAvx512});
    if (__builtin_cpu_supports("avx512bf16") != 0) {
      loops.push_back({"AVX-512 BF16", Kind::kAddBf16, AddBf16Native});
    }
  }
}

}  // namespace belay::bench

#endif
