#include "kernels/cast_half.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cast_half.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include "kernels/half_simd-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t kHalfBytes = sizeof(std::uint16_t);

template <class Half>
void WidenAll(const std::byte* halves, std::byte* floats, std::size_t count) {
  ForEachVector(0, count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto values = WithCanonicalNan(d, LoadHalves(Half(), d, halves + i * kHalfBytes));
    hn::StoreU(values, d, reinterpret_cast<float*>(floats) + i);
  });
}

// Infinity and the largest finite value are neighbours in both formats.
template <class DF>
HWY_INLINE hn::Vec<Halves<DF>> WithoutInfinity(DF /*d*/, std::uint16_t infinity,
                                               hn::Vec<Halves<DF>> halves) {
  const Halves<DF> d16;
  const auto magnitude = hn::And(halves, hn::Set(d16, std::uint16_t{0x7FFF}));
  const auto is_infinite = hn::Eq(magnitude, hn::Set(d16, infinity));
  return hn::IfThenElse(is_infinite, hn::Sub(halves, hn::Set(d16, std::uint16_t{1})), halves);
}

template <class Half, bool kLargest>
void NarrowAll(const std::byte* floats, std::byte* halves, std::size_t count) {
  constexpr std::uint16_t kInfinity = Half::FromFloat(std::bit_cast<float>(kFloatInfinity));
  ForEachVector(0, count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto values = hn::LoadU(d, reinterpret_cast<const float*>(floats) + i);
    auto narrow = Narrow(Half(), d, values);
    if constexpr (kLargest) narrow = WithoutInfinity(d, kInfinity, narrow);
    StoreBits(d, narrow, halves + i * kHalfBytes);
  });
}

void HalvesToFloats(HalfFormat format, const std::byte* halves, std::byte* floats,
                    std::size_t count) {
  if (format == HalfFormat::kFp16) return WidenAll<Fp16>(halves, floats, count);
  WidenAll<Bf16>(halves, floats, count);
}

void FloatsToHalves(HalfFormat format, const std::byte* floats, std::byte* halves,
                    std::size_t count, FloatOverflow overflow) {
  const bool largest = overflow == FloatOverflow::kSaturate;
  if (format == HalfFormat::kFp16) {
    return largest ? NarrowAll<Fp16, true>(floats, halves, count)
                   : NarrowAll<Fp16, false>(floats, halves, count);
  }
  return largest ? NarrowAll<Bf16, true>(floats, halves, count)
                 : NarrowAll<Bf16, false>(floats, halves, count);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(HalvesToFloats);
HWY_EXPORT(FloatsToHalves);

}  // namespace

void HalvesToFloats(HalfFormat format, const std::byte* halves, std::byte* floats,
                    std::size_t count) {
  HWY_DYNAMIC_DISPATCH(HalvesToFloats)(format, halves, floats, count);
}

void FloatsToHalves(HalfFormat format, const std::byte* floats, std::byte* halves,
                    std::size_t count, FloatOverflow overflow) {
  HWY_DYNAMIC_DISPATCH(FloatsToHalves)(format, floats, halves, count, overflow);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
