#include "ops/quant_param/quant_param_reference.h"

#include <cmath>
#include <cstddef>
#include <cstring>

namespace belay::ops {
namespace {

// INT(Round(offset)) within [-256, 255]; a NaN, which only the released way lets through, is 0.
int RoundedOffset(float offset) {
  if (std::isnan(offset)) return 0;
  double rounded = std::round(static_cast<double>(offset));
  if (rounded > 255) rounded = 255;
  if (rounded < -256) rounded = -256;
  return static_cast<int>(rounded);
}

// Half to even, without a rounding mode's help.
int RoundedToEven(float offset) {
  if (std::isnan(offset)) return 0;
  if (offset >= 255) return 255;
  if (offset <= -256) return -256;
  const double below = std::floor(static_cast<double>(offset));
  const double over = offset - below;
  const int lower = static_cast<int>(below);
  if (over != 0.5) return over < 0.5 ? lower : lower + 1;
  return lower % 2 == 0 ? lower : lower + 1;
}

// The nearest value with 10 bits of mantissa, the even one of two; a step beyond the largest finite
// number is infinity.
std::uint32_t NearestScale(std::uint32_t bits) {
  const std::uint32_t sign = bits & 0x80000000U;
  const std::uint32_t exponent = (bits >> 23) & 0xFFU;
  if (exponent == 255) return bits & 0xFFFFE000U;
  if (exponent == 0) return sign;
  // Counts steps of 2^13 from 0.
  const std::uint32_t steps = (bits & 0x7FFFFFFFU) / 8192;
  const std::uint32_t rest = (bits & 0x7FFFFFFFU) % 8192;
  const bool up = rest > 4096 || (rest == 4096 && steps % 2 == 1);
  return sign | (steps + (up ? 1 : 0)) * 8192;
}

}  // namespace

std::vector<std::uint64_t> ReferenceQuantParam(const QuantParamCase& data, Behaviour behaviour) {
  const std::size_t offsets = data.offset ? data.offset->size() : 0;
  std::size_t length = data.scale.size() > offsets ? data.scale.size() : offsets;
  if (length != 1) {
    while (length % 16 != 0) ++length;
  }
  std::vector<std::uint64_t> out(length, 0);
  for (std::size_t i = 0; i < data.scale.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &data.scale[i], sizeof(bits));
    if (behaviour == Behaviour::kDocumented) bits &= 0xFFFFE000U;
    out[i] |= bits;
    out[i] |= 1ULL << 46;
  }
  for (std::size_t i = 0; i < offsets; ++i) {
    // Two's complement in 9 bits.
    const int offset = RoundedOffset((*data.offset)[i]);
    const auto field = static_cast<std::uint64_t>(offset < 0 ? offset + 512 : offset);
    out[i] = (out[i] & 0x4000FFFFFFFFULL) | (field << 37);
  }
  return out;
}

std::vector<std::uint64_t> ReferenceQuantParamTensor(const QuantParamCase& data, int round_mode) {
  const std::size_t offsets = data.offset ? data.offset->size() : 0;
  std::vector<std::uint64_t> out(data.scale.size() > offsets ? data.scale.size() : offsets);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &data.scale[data.scale.size() == 1 ? 0 : i], sizeof(bits));
    bits = round_mode == 1 ? NearestScale(bits) : bits & 0xFFFFE000U;
    const int offset = offsets == 0 ? 0 : RoundedToEven((*data.offset)[offsets == 1 ? 0 : i]);
    const auto field = static_cast<std::uint64_t>(offset < 0 ? offset + 512 : offset);
    out[i] = field << 37 | 1ULL << 46 | bits;
  }
  return out;
}

}  // namespace belay::ops
