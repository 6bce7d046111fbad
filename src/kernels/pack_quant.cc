#include "kernels/pack_quant.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pack_quant.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of 32-bit values, which become kParts vectors of words. The cap bounds the stack buffers
// below where registers can be very long.
#if HWY_TARGET == HWY_SCALAR
using Values = hn::CappedTag<std::uint32_t, 1>;
using Words = hn::CappedTag<std::uint64_t, 1>;
constexpr std::size_t kParts = 1;
#else
using Values = hn::CappedTag<std::uint32_t, 16>;
using Words = hn::Repartition<std::uint64_t, Values>;
constexpr std::size_t kParts = 2;
#endif
using Floats = hn::Rebind<float, Values>;
using SignedValues = hn::RebindToSigned<Values>;

constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;
constexpr std::uint32_t kInfinity = 0x7F800000;

// Some of the values, zero-extended: those of which part `kPart` of the words is made.
template <std::size_t kPart>
HWY_INLINE hn::Vec<Words> Widen(hn::Vec<Values> values) {
#if HWY_TARGET == HWY_SCALAR
  return hn::PromoteTo(Words(), values);
#else
  const hn::Half<Values> half;
  if constexpr (kPart == 0) return hn::PromoteTo(Words(), hn::LowerHalf(half, values));
  return hn::PromoteTo(Words(), hn::UpperHalf(half, values));
#endif
}

// Of values below 2^16 - 1.
HWY_INLINE hn::Vec<Values> HalfRoundedUp(hn::Vec<Values> values) {
  const Values d;
#if HWY_TARGET == HWY_SCALAR
  return hn::ShiftRight<1>(hn::Add(values, hn::Set(d, std::uint32_t{1})));
#else
  const hn::Repartition<std::uint16_t, Values> d16;
  return hn::BitCast(d, hn::AverageRound(hn::BitCast(d16, values), hn::Zero(d16)));
#endif
}

// The quotient of `doubled` by 2, half to even; `doubled` itself was cut off where `inexact`.
HWY_INLINE hn::Vec<Values> HalfToEven(hn::Vec<Values> doubled, hn::Mask<Values> inexact) {
  const Values d;
  const auto up = hn::Or(hn::ShiftRight<1>(doubled), hn::VecFromMask(d, inexact));
  return hn::ShiftRight<1>(hn::Add(doubled, hn::And(up, hn::Set(d, 1U))));
}

// Offsets as integers, rounded and clamped, by integer steps: a rounded magnitude is
// mantissa >> shift, and half away from zero is ((mantissa >> (shift - 1)) + 1) >> 1. With kNan,
// NaN becomes 0; without, anything.
template <bool kNan, bool kToEven>
HWY_INLINE hn::Vec<Values> RoundOffsets(hn::Vec<Values> bits, hn::Vec<Values> magnitude) {
  const Values d;
  const SignedValues ds;
  constexpr std::uint32_t k256 = 0x43800000;  // the bits of 256.0F

  // Magnitudes have a clear top bit, so signed comparisons order them too.
  const auto limited = hn::Min(magnitude, hn::Set(d, k256));
  // A zero exponent needs no implied bit: either way its 24 bits are shifted out.
  const auto mantissa = hn::OrAnd(hn::Set(d, 0x00800000U), limited, hn::Set(d, 0x007FFFFFU));
  const auto exponent = hn::ShiftRight<23>(limited);
  // Shifting by 24 leaves nothing; beyond 30, some targets would raise a floating-point flag.
  const auto shift = hn::Min(hn::Sub(hn::Set(d, 149U), exponent), hn::Set(d, 24U));
  const auto doubled = hn::Shr(mantissa, shift);
  auto rounded = doubled;
  if constexpr (kToEven) {
    rounded = HalfToEven(doubled, hn::Ne(hn::Shl(doubled, shift), mantissa));
  } else {
    rounded = HalfRoundedUp(doubled);
  }

  // All ones where negative: x ^ sign - sign is -x.
  const auto sign = hn::BitCast(d, hn::ShiftRight<31>(hn::BitCast(ds, bits)));
  const auto value = hn::BitCast(ds, hn::Sub(hn::Xor(rounded, sign), sign));
  const auto clamped = hn::BitCast(d, hn::Min(value, hn::Set(ds, 255)));
  if constexpr (!kNan) return clamped;
  const auto is_nan = hn::Gt(hn::BitCast(ds, magnitude), hn::BitCast(ds, hn::Set(d, kInfinity)));
  return hn::IfThenZeroElse(hn::RebindMask(d, is_nan), clamped);
}

// Scales of 10 bits of mantissa, nearest even: RoundQuantScale of roundMode 1.
HWY_INLINE hn::Vec<Values> RoundScales(hn::Vec<Values> bits, hn::Vec<Values> magnitude) {
  const Values d;
  const SignedValues ds;
  const auto kept = hn::Set(d, ~kQuantScaleUnread);
  const auto odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(d, 1U));
  const auto nearest = hn::Add(hn::Add(bits, hn::Set(d, kQuantScaleUnread >> 1)), odd);
  // Magnitudes have a clear top bit, so signed comparisons order them too.
  const auto is_tiny = hn::Lt(hn::BitCast(ds, magnitude), hn::BitCast(ds, hn::Set(d, 0x00800000U)));
  const auto is_finite = hn::Lt(hn::BitCast(ds, magnitude), hn::BitCast(ds, hn::Set(d, kInfinity)));
  const auto rounded = hn::And(hn::IfThenElse(hn::RebindMask(d, is_finite), nearest, bits), kept);
  return hn::IfThenElse(hn::RebindMask(d, is_tiny), hn::And(bits, hn::Set(d, ~kMagnitude)),
                        rounded);
}

// Which of the arrays there are, whether an offset may be NaN, and how values are rounded.
template <bool kHasScale, bool kHasOffset, bool kHasNan, QuantRounding kAs = QuantRounding::kV1>
struct Kind {
  static constexpr bool kScale = kHasScale;
  static constexpr bool kOffset = kHasOffset;
  static constexpr bool kNan = kHasNan;
  static constexpr bool kToEven = kAs != QuantRounding::kV1;
  static constexpr bool kNearestScale = kAs == QuantRounding::kV3RoundMode1;
};

// What is the same for all words.
struct Fixed {
  std::uint64_t bits;  // set in each; not looked at for kV1
  std::uint32_t mask;  // of scales
};

// Packs Lanes(Values()) values; keeps the largest magnitude seen in each lane.
template <class Kind, bool kStream>
HWY_INLINE void PackVector(const float* scale, const float* offset, Fixed fixed, std::uint64_t* out,
                           hn::Vec<Values>& largest) {
  const Words d;
  const Values d32;
  [[maybe_unused]] const hn::Rebind<std::uint32_t, Words> d_part;
  auto scales = hn::Zero(d32);
  auto offsets = hn::Zero(d32);
  if constexpr (Kind::kScale) {
    const auto bits = hn::BitCast(d32, hn::LoadU(Floats(), scale));
    const auto magnitude = hn::And(bits, hn::Set(d32, kMagnitude));
    largest = hn::Max(largest, magnitude);
    if constexpr (Kind::kNearestScale) scales = RoundScales(bits, magnitude);
  }
  if constexpr (Kind::kOffset) {
    const auto bits = hn::BitCast(d32, hn::LoadU(Floats(), offset));
    const auto magnitude = hn::And(bits, hn::Set(d32, kMagnitude));
    largest = hn::Max(largest, magnitude);
    offsets = RoundOffsets<Kind::kNan, Kind::kToEven>(bits, magnitude);
  }
  const auto pack_part = [&](auto part) HWY_ATTR {
    auto words = hn::Set(d, Kind::kToEven ? fixed.bits : Kind::kScale ? kQuantScaleMark : 0);
    if constexpr (Kind::kNearestScale && Kind::kScale) {
      words = hn::Or(words, Widen<part>(scales));
    } else if constexpr (Kind::kScale) {
      // Read again: widening from memory is one step, widening half a register two.
      const auto again = hn::LoadU(hn::Rebind<float, Words>(), scale + part * hn::Lanes(d));
      words = hn::OrAnd(words, hn::PromoteTo(d, hn::BitCast(d_part, again)),
                        hn::Set(d, std::uint64_t{fixed.mask}));
    }
    if constexpr (Kind::kOffset) {
      words = hn::OrAnd(words, hn::ShiftLeft<kQuantOffsetShift>(Widen<part>(offsets)),
                        hn::Set(d, kQuantOffsetBits));
    }
    std::uint64_t* const to = out + part * hn::Lanes(d);
    if constexpr (kStream) {
      hn::Stream(words, d, to);
    } else {
      hn::StoreU(words, d, to);
    }
  };
  pack_part(std::integral_constant<std::size_t, 0>());
  if constexpr (kParts == 2) pack_part(std::integral_constant<std::size_t, 1>());
}

// Fewer values than a vector has. They go through a whole one: in Highway 1.0 a shift of a single
// 32-bit lane by a lane takes its count from two lanes.
template <class Kind>
HWY_INLINE void PackFew(const float* scale, const float* offset, std::size_t n, Fixed fixed,
                        std::uint64_t* out, hn::Vec<Values>& largest) {
  HWY_ALIGN float few_scales[hn::MaxLanes(Values())] = {};
  HWY_ALIGN float few_offsets[hn::MaxLanes(Values())] = {};
  HWY_ALIGN std::uint64_t words[hn::MaxLanes(Values())];
  if constexpr (Kind::kScale) std::memcpy(few_scales, scale, n * sizeof(*scale));
  if constexpr (Kind::kOffset) std::memcpy(few_offsets, offset, n * sizeof(*offset));
  PackVector<Kind, false>(few_scales, few_offsets, fixed, words, largest);
  std::memcpy(out, words, n * sizeof(*out));
}

struct Arrays {
  const float* scale;
  const float* offset;
  std::uint64_t* out;
  Fixed fixed;
};

// Packs [begin, end) with vectors while they fit, and returns where that ends.
template <class Kind, bool kStream>
HWY_INLINE std::size_t PackVectors(const Arrays& arrays, std::size_t begin, std::size_t end,
                                   hn::Vec<Values>& largest) {
  const std::size_t lanes = hn::Lanes(Values());
  auto local = largest;  // in a register
  std::size_t i = begin;
  for (; end - i >= lanes; i += lanes) {
    PackVector<Kind, kStream>(Kind::kScale ? arrays.scale + i : nullptr,
                              Kind::kOffset ? arrays.offset + i : nullptr, arrays.fixed,
                              arrays.out + i, local);
  }
  largest = local;
  return i;
}

template <class Kind>
HWY_INLINE void PackRange(const Arrays& arrays, std::size_t begin, std::size_t end,
                          hn::Vec<Values>& largest) {
  const std::size_t i = PackVectors<Kind, false>(arrays, begin, end, largest);
  if (i == end) return;
  PackFew<Kind>(Kind::kScale ? arrays.scale + i : nullptr,
                Kind::kOffset ? arrays.offset + i : nullptr, end - i, arrays.fixed, arrays.out + i,
                largest);
}

template <class Kind>
bool PackArrays(const float* scale, const float* offset, std::size_t n, Fixed fixed,
                std::uint64_t* out, Writing writing) {
  const Arrays arrays = {scale, offset, out, fixed};
  auto largest = hn::Zero(Values());
  std::size_t i = 0;
  const std::size_t to_line = -reinterpret_cast<std::uintptr_t>(out) % kLineBytes;
  if (writing == Writing::kStreaming && to_line % sizeof(*out) == 0) {
    const std::size_t head = std::min(to_line / sizeof(*out), n);
    PackRange<Kind>(arrays, 0, head, largest);
    i = PackVectors<Kind, true>(arrays, head, n, largest);
    hwy::FlushStream();
  }
  PackRange<Kind>(arrays, i, n, largest);
  const SignedValues ds;
  return hn::AllTrue(
      ds, hn::Lt(hn::BitCast(ds, largest), hn::BitCast(ds, hn::Set(Values(), kInfinity))));
}

// With offsets. NaN costs two steps of fifteen, so it is provided for when it was seen.
template <bool kHasScale, QuantRounding kAs>
HWY_INLINE bool PackOffsets(const float* scale, const float* offset, std::size_t n, Fixed fixed,
                            std::uint64_t* out, Writing writing) {
  return PackArrays<Kind<kHasScale, true, false, kAs>>(scale, offset, n, fixed, out, writing) ||
         PackArrays<Kind<kHasScale, true, true, kAs>>(scale, offset, n, fixed, out, writing);
}

bool PackQuant(const float* scale, const float* offset, std::size_t n, std::uint32_t mask,
               std::uint64_t* out, Writing writing) {
  constexpr QuantRounding kV1 = QuantRounding::kV1;
  const Fixed fixed = {0, mask};
  if (offset == nullptr) {
    return PackArrays<Kind<true, false, false>>(scale, offset, n, fixed, out, writing);
  }
  return scale == nullptr ? PackOffsets<false, kV1>(scale, offset, n, fixed, out, writing)
                          : PackOffsets<true, kV1>(scale, offset, n, fixed, out, writing);
}

// At least one of the two is an array; the other one, if any, is in the fixed bits.
bool PackQuantRounded(const float* scale, const float* offset, std::size_t n,
                      std::uint64_t fixed_bits, QuantRounding rounding, std::uint64_t* out,
                      Writing writing) {
  const Fixed fixed = {fixed_bits, ~kQuantScaleUnread};
  constexpr QuantRounding kV2 = QuantRounding::kV2;
  constexpr QuantRounding kNearest = QuantRounding::kV3RoundMode1;
  const bool nearest = rounding == kNearest;
  if (offset == nullptr) {
    return nearest
               ? PackArrays<Kind<true, false, false, kNearest>>(scale, offset, n, fixed, out,
                                                                writing)
               : PackArrays<Kind<true, false, false, kV2>>(scale, offset, n, fixed, out, writing);
  }
  // Offsets alone are rounded alike.
  if (scale == nullptr) return PackOffsets<false, kV2>(scale, offset, n, fixed, out, writing);
  return nearest ? PackOffsets<true, kNearest>(scale, offset, n, fixed, out, writing)
                 : PackOffsets<true, kV2>(scale, offset, n, fixed, out, writing);
}

template <class DU32>
HWY_INLINE bool AllFiniteAt(DU32 d, const float* values) {
  const auto exponents = hn::Set(d, kInfinity);
  const auto bits = hn::BitCast(d, hn::LoadU(hn::Rebind<float, DU32>(), values));
  return hn::AllFalse(d, hn::Eq(hn::And(bits, exponents), exponents));
}

bool AllFinite(const float* values, std::size_t n) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; n - i >= lanes; i += lanes) {
    if (!AllFiniteAt(d, values + i)) return false;
  }
  for (; i < n; ++i) {
    // A copy: Highway loads a single lane as a float, which has to be aligned.
    std::uint32_t bits = 0;
    std::memcpy(&bits, values + i, sizeof(bits));
    if ((bits & kInfinity) == kInfinity) return false;
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

HWY_EXPORT(PackQuant);
HWY_EXPORT(PackQuantRounded);
HWY_EXPORT(AllFinite);

}  // namespace

bool PackQuant(const float* scale, const float* offset, std::size_t n, std::uint32_t mask,
               std::uint64_t* out, Writing writing) {
  return HWY_DYNAMIC_DISPATCH(PackQuant)(scale, offset, n, mask, out, writing);
}

bool PackQuantTensor(QuantOperand scale, QuantOperand offset, std::size_t n, QuantRounding rounding,
                     std::uint64_t* out, Writing writing) {
  if (n == 0) return true;
  // A single value is packed here, once; for a single word it is an array.
  const auto take_single = [n](QuantOperand& operand) -> std::uint32_t {
    if (n == 1 || !operand.single || operand.values == nullptr) return 0;
    std::uint32_t bits = 0;
    std::memcpy(&bits, std::exchange(operand.values, nullptr), sizeof(bits));
    return bits;
  };
  const std::uint32_t scale_bits = take_single(scale);
  const std::uint32_t offset_bits = take_single(offset);
  const std::uint64_t fixed =
      PackQuantBits(scale_bits, offset_bits, QuantLayout::kPacked19, rounding);
  const bool finite = HWY_DYNAMIC_DISPATCH(PackQuantRounded)(scale.values, offset.values, n, fixed,
                                                             rounding, out, writing);
  return finite && !IsNotFiniteQuantScale(scale_bits) && !IsNotFiniteQuantScale(offset_bits);
}

bool AllFinite(const float* values, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(AllFinite)(values, n);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
