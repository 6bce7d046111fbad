// Moving bytes with the vectors of one instruction set; for files that are compiled once for each.
// Pointers need no alignment and ranges do not overlap.
//
// clang-format off
#if defined(BELAY_KERNELS_MOVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_MOVE_INL_H_
#undef BELAY_KERNELS_MOVE_INL_H_
#else
#define BELAY_KERNELS_MOVE_INL_H_
#endif
// clang-format on

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/copy_policy.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Byte = std::uint8_t;
// A whole line where the instruction set has such vectors: a store that fills its line at once
// takes one place in the store buffer, which is what bounds scattered rows.
using Vectors = hn::CappedTag<Byte, kLineBytes>;
using Vectors32 = hn::CappedTag<Byte, 32>;
using Vectors16 = hn::CappedTag<Byte, 16>;

// One element, moved as it is.
template <class T>
struct Word {
  static constexpr std::size_t kBytes = sizeof(T);
  HWY_INLINE static void Copy(Byte* dst, const Byte* src) {
    T word;
    std::memcpy(&word, src, sizeof(T));
    std::memcpy(dst, &word, sizeof(T));
  }
  // Both are read before either is written, so the two loads do not wait for a store.
  HWY_INLINE static void CopyTwo(Byte* dst, const Byte* src, std::size_t second) {
    T words[2];
    std::memcpy(&words[0], src, sizeof(T));
    std::memcpy(&words[1], src + second, sizeof(T));
    std::memcpy(dst, &words[0], sizeof(T));
    std::memcpy(dst + second, &words[1], sizeof(T));
  }
};

template <class D>
struct Vector {
  HWY_INLINE static void Copy(Byte* dst, const Byte* src) {
    const D d;
    hn::StoreU(hn::LoadU(d, src), d, dst);
  }
  HWY_INLINE static void CopyTwo(Byte* dst, const Byte* src, std::size_t second) {
    const D d;
    const auto first = hn::LoadU(d, src);
    const auto last = hn::LoadU(d, src + second);
    hn::StoreU(first, d, dst);
    hn::StoreU(last, d, dst + second);
  }
};

// Calls use(copy) with the copy(dst, src) of `bytes` bytes, which are fewer than a vector has and
// more than none: two elements of the widest kind that fits, which may overlap, or one.
template <class Use>
HWY_INLINE void WithCopyBelowVector(std::size_t bytes, const Use& use) {
  const auto with = [&](auto element, std::size_t width) HWY_ATTR {
    using Element = decltype(element);
    if (bytes == width) {
      use([](Byte* dst, const Byte* src) HWY_ATTR { Element::Copy(dst, src); });
    } else {
      use([second = bytes - width](Byte* dst, const Byte* src)
              HWY_ATTR { Element::CopyTwo(dst, src, second); });
    }
  };
  if (bytes >= 32) return with(Vector<Vectors32>(), 32);
  if (bytes >= 16) return with(Vector<Vectors16>(), 16);
  if (bytes >= 8) return with(Word<std::uint64_t>(), 8);
  if (bytes >= 4) return with(Word<std::uint32_t>(), 4);
  if (bytes >= 2) return with(Word<std::uint16_t>(), 2);
  use([](Byte* dst, const Byte* src) HWY_ATTR { Word<std::uint8_t>::Copy(dst, src); });
}

// At least one vector.
HWY_INLINE void CopyVectors(Byte* dst, const Byte* src, std::size_t bytes) {
  // Beyond a few lines it pays to store whole lines: 16 KiB at 2 bytes off take 0.10 instead of
  // 0.20 us.
  constexpr std::size_t kAlignFrom = 8 * kLineBytes;
  const Vectors d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t at = 0;
  if (bytes >= kAlignFrom) {
    hn::StoreU(hn::LoadU(d, src), d, dst);
    at = lanes - reinterpret_cast<std::uintptr_t>(dst) % lanes;
  }
  for (; bytes - at >= 4 * lanes; at += 4 * lanes) {
    const auto v0 = hn::LoadU(d, src + at);
    const auto v1 = hn::LoadU(d, src + at + lanes);
    const auto v2 = hn::LoadU(d, src + at + 2 * lanes);
    const auto v3 = hn::LoadU(d, src + at + 3 * lanes);
    hn::StoreU(v0, d, dst + at);
    hn::StoreU(v1, d, dst + at + lanes);
    hn::StoreU(v2, d, dst + at + 2 * lanes);
    hn::StoreU(v3, d, dst + at + 3 * lanes);
  }
  for (; bytes - at >= lanes; at += lanes) hn::StoreU(hn::LoadU(d, src + at), d, dst + at);
  if (at != bytes) hn::StoreU(hn::LoadU(d, src + bytes - lanes), d, dst + bytes - lanes);
}

HWY_INLINE void CopyCached(Byte* dst, const Byte* src, std::size_t bytes) {
  if (bytes >= hn::Lanes(Vectors())) {
    CopyVectors(dst, src, bytes);
  } else if (bytes != 0) {
    WithCopyBelowVector(bytes, [=](auto copy) HWY_ATTR { copy(dst, src); });
  }
}

// Fetches the line of `dst` to be written; any address will do.
HWY_INLINE void PrefetchForWriting(const Byte* dst) {
#if HWY_ARCH_X86_64
  // GCC makes it a prefetch for reading unless told that the processor has this one. All that run
  // 64-bit code take it, at worst as one that does nothing.
  asm volatile("prefetchw %0" : : "m"(*dst));
#else
  __builtin_prefetch(dst, 1);
#endif
}

// `dst` begins a line.
HWY_INLINE void StreamLine(Byte* dst, const Byte* src) {
  const Vectors d;
  for (std::size_t at = 0; at < kLineBytes; at += hn::Lanes(d)) {
    hn::Stream(hn::LoadU(d, src + at), d, dst + at);
  }
}

// The caller ends its streaming with hwy::FlushStream, once: a fence waits for the stores before
// it.
inline HWY_ATTR void CopyStreaming(Byte* dst, const Byte* src, std::size_t bytes) {
  // Four pages at a time keep more of the memory's banks busy: 256 MiB take 12.2 instead of 13.8
  // ms.
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kPages = 4;
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(dst) % kLineBytes;
  if (bytes < head + kLineBytes) return CopyCached(dst, src, bytes);
  CopyCached(dst, src, head);
  std::size_t at = head;
  for (; bytes - at >= kPages * kPage; at += kPages * kPage) {
    for (std::size_t in_page = 0; in_page < kPage; in_page += 2 * kLineBytes) {
      for (std::size_t page = 0; page < kPages; ++page) {
        const std::size_t line = at + page * kPage + in_page;
        StreamLine(dst + line, src + line);
        StreamLine(dst + line + kLineBytes, src + line + kLineBytes);
      }
    }
  }
  for (; bytes - at >= kLineBytes; at += kLineBytes) StreamLine(dst + at, src + at);
  CopyCached(dst + at, src + at, bytes - at);
}

HWY_INLINE void CopyString(Byte* dst, const Byte* src, std::size_t bytes) {
#if HWY_ARCH_X86_64
  asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
#else
  CopyCached(dst, src, bytes);
#endif
}

HWY_INLINE void CopyAs(Writing writing, Byte* dst, const Byte* src, std::size_t bytes) {
  if (writing == Writing::kStreaming) return CopyStreaming(dst, src, bytes);
  if (writing == Writing::kString) return CopyString(dst, src, bytes);
  CopyCached(dst, src, bytes);
}

}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // BELAY_KERNELS_MOVE_INL_H_
