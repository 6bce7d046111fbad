// Vectors of both 16-bit float formats, widened to float32 and narrowed back; the same values as
// kernels/half.h on every instruction set. On little-endian processors, as all that Highway serves.
//
// Included by files that are compiled once for each instruction set. Wants the default float
// environment (kernels/float_environment.h).
#include <cstddef>
#include <cstdint>

#include "kernels/half.h"

// Per-target include guard.
#if defined(BELAY_KERNELS_HALF_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_HALF_SIMD_INL_H_
#undef BELAY_KERNELS_HALF_SIMD_INL_H_
#else
#define BELAY_KERNELS_HALF_SIMD_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Whether this instruction set converts fp16 itself. Without, Highway's conversions are wrong about
// infinities and flush what is too small.
#undef BELAY_NATIVE_FP16
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)) || HWY_ARCH_ARM_A64
#define BELAY_NATIVE_FP16 1
#else
#define BELAY_NATIVE_FP16 0
#endif

/// The vector of 16-bit floats with as many lanes as the float vector DF.
template <class DF>
using Halves = hn::Rebind<std::uint16_t, DF>;

inline constexpr std::uint32_t kQuietNanFloat = 0x7FC00000;  // narrows to the canonical NaN

/// Exact; NaN stays NaN.
template <class DF>
HWY_INLINE hn::Vec<DF> Widen(Fp16, DF d, hn::Vec<Halves<DF>> halves) {
#if BELAY_NATIVE_FP16
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), halves));
#else
  const hn::RebindToSigned<DF> di;
  const auto bits = hn::BitCast(di, hn::PromoteTo(hn::RebindToUnsigned<DF>(), halves));
  const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFF));
  const auto sign = hn::ShiftLeft<16>(hn::Sub(bits, magnitude));
  // From the bias 15 to 127; infinity and NaN have to go all the way to the largest exponent.
  const auto rebias = hn::Set(di, (127 - 15) << 23);
  const auto beyond = hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(di, 0x7BFF)), rebias);
  const auto normal = hn::Add(hn::Add(hn::ShiftLeft<13>(magnitude), rebias), beyond);
  // 0.5 + magnitude * 2^-24 has the magnitude as its mantissa.
  const auto with_half = hn::BitCast(d, hn::Or(magnitude, hn::Set(di, 0x3F000000)));
  const auto subnormal = hn::BitCast(di, hn::Sub(with_half, hn::Set(d, 0.5F)));
  const auto is_subnormal = hn::Lt(magnitude, hn::Set(di, 0x0400));
  return hn::BitCast(d, hn::Or(hn::IfThenElse(is_subnormal, subnormal, normal), sign));
#endif
}

/// Exact; NaN stays NaN.
template <class DF>
HWY_INLINE hn::Vec<DF> Widen(Bf16, DF d, hn::Vec<Halves<DF>> halves) {
  const hn::RebindToUnsigned<DF> du;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, halves)));
}

template <class DF>
HWY_INLINE hn::Vec<DF> WithCanonicalNan(DF d, hn::Vec<DF> values) {
  const auto quiet_nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<DF>(), kQuietNanFloat));
  return hn::IfThenElse(hn::IsNaN(values), quiet_nan, values);
}

/// To nearest, ties to even; infinity beyond the range. Of NaN only the canonical one may occur.
template <class DF>
HWY_INLINE hn::Vec<Halves<DF>> NarrowCanonical(Fp16, [[maybe_unused]] DF d, hn::Vec<DF> values) {
  const Halves<DF> d16;
#if BELAY_NATIVE_FP16
  return hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, DF>(), values));
#else
  const hn::RebindToSigned<DF> di;
  const auto bits = hn::BitCast(di, values);
  const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(di, 0x8000));
  // A carry out of the mantissa raises the exponent, up to infinity, as it must.
  const auto is_odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
  const auto to_nearest = hn::Set(di, 0xFFF - ((127 - 15) << 23));
  const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, is_odd), to_nearest));
  // Beside 0.5 the unit in the last place is 2^-24, that of fp16's subnormals: the sum rounds.
  const auto with_half = hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5F));
  const auto subnormal = hn::Sub(hn::BitCast(di, with_half), hn::Set(di, 0x3F000000));
  const auto is_nan = hn::Gt(magnitude, hn::Set(di, 0x7F800000));
  const auto beyond = hn::IfThenElse(is_nan, hn::Set(di, 0x7E00), hn::Set(di, 0x7C00));
  auto half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(di, 0x38800000)), subnormal, normal);
  half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, 0x477FFFFF)), beyond, half);
  const hn::RebindToUnsigned<DF> du;
  return hn::TruncateTo(d16, hn::BitCast(du, hn::Or(half, sign)));
#endif
}

// The upper half of each lane is the value as bf16. In integers: AVX-512's own conversion flushes
// subnormals.
template <class DF>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<DF>> RoundedToBf16(DF /*d*/, hn::Vec<DF> values) {
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::BitCast(du, values);
  const auto is_odd = hn::TestBit(bits, hn::Set(du, 0x10000U));
  return hn::Add(bits, hn::IfThenElse(is_odd, hn::Set(du, 0x8000U), hn::Set(du, 0x7FFFU)));
}

template <class DF>
HWY_INLINE hn::Vec<Halves<DF>> NarrowCanonical(Bf16, DF d, hn::Vec<DF> values) {
  return hn::TruncateTo(Halves<DF>(), hn::ShiftRight<16>(RoundedToBf16(d, values)));
}

/// To nearest, ties to even; infinity beyond the range; NaN becomes the canonical one.
template <class Half, class DF>
HWY_INLINE hn::Vec<Halves<DF>> Narrow(Half half, DF d, hn::Vec<DF> values) {
  return NarrowCanonical(half, d, WithCanonicalNan(d, values));
}

/// The 16-bit floats at `values`, which need no alignment.
template <class DF>
HWY_INLINE hn::Vec<Halves<DF>> LoadBits(DF /*d*/, const std::byte* values) {
  return hn::LoadU(Halves<DF>(), reinterpret_cast<const std::uint16_t*>(values));
}
template <class DF>
HWY_INLINE void StoreBits(DF /*d*/, hn::Vec<Halves<DF>> halves, std::byte* values) {
  hn::StoreU(halves, Halves<DF>(), reinterpret_cast<std::uint16_t*>(values));
}
template <class Half, class DF>
HWY_INLINE hn::Vec<DF> LoadHalves(Half half, DF d, const std::byte* values) {
  return Widen(half, d, LoadBits(d, values));
}
template <class Half, class DF>
HWY_INLINE void StoreHalves(Half half, DF d, hn::Vec<DF> values, std::byte* to) {
  StoreBits(d, Narrow(half, d, values), to);
}

/// Two vectors of float32 that stand for as many adjacent 16-bit floats together, in the order that
/// is cheapest to convert. Element by element, what is in one order stays in it.
template <class DF>
struct TwoVectors {
  hn::Vec<DF> first;
  hn::Vec<DF> second;
};

template <class DF>
HWY_INLINE TwoVectors<DF> LoadTwo(Fp16 half, DF d, const std::byte* values) {
  return {LoadHalves(half, d, values),
          LoadHalves(half, d, values + hn::Lanes(d) * sizeof(std::uint16_t))};
}

// Of two bf16 in 32 bits one needs a shift and the other a mask, neither a move between lanes.
template <class DF>
HWY_INLINE TwoVectors<DF> LoadTwo(Bf16, DF d, const std::byte* values) {
  const hn::RebindToUnsigned<DF> du;
  const auto pairs = hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(values));
  return {hn::BitCast(d, hn::ShiftLeft<16>(pairs)),
          hn::BitCast(d, hn::And(pairs, hn::Set(du, 0xFFFF0000U)))};
}

template <class DF>
HWY_INLINE void StoreTwoCanonical(Fp16 half, DF d, TwoVectors<DF> values, std::byte* to) {
  StoreBits(d, NarrowCanonical(half, d, values.first), to);
  StoreBits(d, NarrowCanonical(half, d, values.second), to + hn::Lanes(d) * sizeof(std::uint16_t));
}

template <class DF>
HWY_INLINE void StoreTwoCanonical(Bf16, DF d, TwoVectors<DF> values, std::byte* to) {
  const hn::RebindToUnsigned<DF> du;
  const auto first = hn::ShiftRight<16>(RoundedToBf16(d, values.first));
  const auto second = hn::And(RoundedToBf16(d, values.second), hn::Set(du, 0xFFFF0000U));
  hn::StoreU(hn::Or(first, second), du, reinterpret_cast<std::uint32_t*>(to));
}

/// Twice two vectors. NaN is rare: one look for it serves all of them.
template <class Half, class DF>
HWY_INLINE void StoreTwice(Half half, DF d, TwoVectors<DF> a, TwoVectors<DF> b, std::byte* to) {
  // A sum with a NaN in it is a NaN. So is one of opposite infinities, which does no harm.
  const auto all = hn::Add(hn::Add(a.first, a.second), hn::Add(b.first, b.second));
  if (HWY_UNLIKELY(!hn::AllFalse(d, hn::IsNaN(all)))) {
    a = {WithCanonicalNan(d, a.first), WithCanonicalNan(d, a.second)};
    b = {WithCanonicalNan(d, b.first), WithCanonicalNan(d, b.second)};
  }
  StoreTwoCanonical(half, d, a, to);
  StoreTwoCanonical(half, d, b, to + 2 * hn::Lanes(d) * sizeof(std::uint16_t));
}

// Longest vectors of floats used; the cap bounds buffers where registers can be very long.
using Floats = hn::CappedTag<float, 16>;

/// Calls step(d, i) for vectors from `begin` on that together are exactly [begin, end): whole ones
/// first, then ever shorter ones.
template <class Step>
HWY_INLINE void ForEachVector(std::size_t begin, std::size_t end, const Step& step) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = begin;
  for (; end - i >= lanes; i += lanes) step(d, i);
  const auto rest = [&](auto shorter) HWY_ATTR {
    const std::size_t shorter_lanes = hn::Lanes(shorter);
    for (; end - i >= shorter_lanes; i += shorter_lanes) step(shorter, i);
  };
  if (i == end) return;
  rest(hn::CappedTag<float, 8>());
  rest(hn::CappedTag<float, 4>());
  rest(hn::CappedTag<float, 2>());
  rest(hn::CappedTag<float, 1>());
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
