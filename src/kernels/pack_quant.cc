#include "kernels/pack_quant.h"

#include <cstring>

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pack_quant.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of 64-bit words, and of the 32-bit values that widen to as many words. The cap bounds the
// stack buffers below where registers can be very long.
using Words = hn::CappedTag<std::uint64_t, 32>;
using OneWord = hn::CappedTag<std::uint64_t, 1>;
template <class D>
using Values = hn::Rebind<std::uint32_t, D>;

template <class DU32>
HWY_INLINE hn::Vec<DU32> LoadBits(DU32 d, const float* values) {
  return hn::BitCast(d, hn::LoadU(hn::Rebind<float, DU32>(), values));
}

template <class D>
HWY_INLINE void PackScalesAt(D d, const float* scale, std::uint32_t mask, std::uint64_t* out) {
  const Values<D> d32;
  const auto bits = hn::And(LoadBits(d32, scale), hn::Set(d32, mask));
  hn::StoreU(hn::Or(hn::PromoteTo(d, bits), hn::Set(d, kScaleMark)), d, out);
}

// The 9 offset bits of float32 bit patterns, by integer steps: a magnitude is mantissa >> shift,
// and half away from zero is ((mantissa >> (shift - 1)) + 1) >> 1.
template <class DU32, class V>
HWY_INLINE hn::Vec<DU32> OffsetBits(DU32 d, V bits) {
  const hn::RebindToSigned<DU32> ds;
  constexpr std::uint32_t kInfinity = 0x7F800000;
  constexpr std::uint32_t k512 = 0x44000000;  // beyond the clamp, within reach of the shift
  const auto as_signed = [ds](auto v) HWY_ATTR { return hn::BitCast(ds, v); };
  const auto as_mask = [d](auto m) HWY_ATTR { return hn::RebindMask(d, m); };

  // Magnitudes have a clear top bit, so signed comparisons order them too.
  const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFFFFFFU));
  const auto is_nan = as_mask(hn::Gt(as_signed(magnitude), as_signed(hn::Set(d, kInfinity))));
  const auto is_negative = as_mask(hn::Lt(as_signed(bits), hn::Zero(ds)));
  const auto limited = hn::Min(magnitude, hn::Set(d, k512));

  // A zero exponent needs no implied bit: either way its 24 bits are shifted out.
  const auto exponent = hn::ShiftRight<23>(limited);
  const auto mantissa = hn::Or(hn::And(limited, hn::Set(d, 0x007FFFFFU)), hn::Set(d, 0x00800000U));
  const auto shift = hn::Min(hn::Sub(hn::Set(d, 149U), exponent), hn::Set(d, 31U));
  const auto rounded =
      hn::ShiftRight<1>(hn::Add(hn::Shr(mantissa, shift), hn::Set(d, std::uint32_t{1})));

  const auto bound = hn::IfThenElse(is_negative, hn::Set(d, 256U), hn::Set(d, 255U));
  const auto clamped = hn::Min(rounded, bound);
  const auto value = hn::IfThenElse(is_negative, hn::Sub(hn::Zero(d), clamped), clamped);
  return hn::And(hn::IfThenZeroElse(is_nan, value), hn::Set(d, 0x1FFU));
}

template <class D>
HWY_INLINE void MergeOffsetsAt(D d, const float* offset, std::uint64_t* out) {
  const Values<D> d32;
  const auto bits = hn::PromoteTo(d, OffsetBits(d32, LoadBits(d32, offset)));
  const auto kept = hn::And(hn::LoadU(d, out), hn::Set(d, kScaleMark | kScaleBits));
  hn::StoreU(hn::Or(kept, hn::ShiftLeft<kOffsetShift>(bits)), d, out);
}

template <class DU32>
HWY_INLINE bool AllFiniteAt(DU32 d, const float* values) {
  const auto exponents = hn::Set(d, 0x7F800000U);
  return hn::AllFalse(d, hn::Eq(hn::And(LoadBits(d, values), exponents), exponents));
}

void PackScales(const float* HWY_RESTRICT scale, std::size_t n, std::uint32_t mask,
                std::uint64_t* HWY_RESTRICT out) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; n - i >= lanes; i += lanes) PackScalesAt(d, scale + i, mask, out + i);
  for (; i < n; ++i) PackScalesAt(OneWord(), scale + i, mask, out + i);
}

void MergeOffsets(const float* HWY_RESTRICT offset, std::size_t n,
                  std::uint64_t* HWY_RESTRICT out) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; n - i >= lanes; i += lanes) MergeOffsetsAt(d, offset + i, out + i);
  if (i == n) return;
  // The rest goes through a whole vector: in Highway 1.0 a shift of a single 32-bit lane by a lane
  // takes its count from two lanes.
  float offset_rest[hn::MaxLanes(Words())] = {};
  std::uint64_t out_rest[hn::MaxLanes(Words())] = {};
  std::memcpy(offset_rest, offset + i, (n - i) * sizeof(*offset_rest));
  std::memcpy(out_rest, out + i, (n - i) * sizeof(*out_rest));
  MergeOffsetsAt(d, offset_rest, out_rest);
  std::memcpy(out + i, out_rest, (n - i) * sizeof(*out_rest));
}

bool AllFinite(const float* values, std::size_t n) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; n - i >= lanes; i += lanes) {
    if (!AllFiniteAt(d, values + i)) return false;
  }
  for (; i < n; ++i) {
    if (!AllFiniteAt(hn::CappedTag<std::uint32_t, 1>(), values + i)) return false;
  }
  return true;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(PackScales);
HWY_EXPORT(MergeOffsets);
HWY_EXPORT(AllFinite);

}  // namespace

void PackScales(const float* scale, std::size_t n, std::uint32_t mask, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(PackScales)(scale, n, mask, out);
}

void MergeOffsets(const float* offset, std::size_t n, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(MergeOffsets)(offset, n, out);
}

bool AllFinite(const float* values, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(AllFinite)(values, n);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
