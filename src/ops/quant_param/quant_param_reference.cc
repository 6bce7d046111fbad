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

}  // namespace belay::ops
