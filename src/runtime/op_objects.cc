#include "runtime/op_objects.h"

#include <algorithm>

namespace belay::runtime {

void OpTensor::Describe(Description description) noexcept {
  description_ = std::move(description);
  const Description& d = description_;
  view_ = {d.dtype, d.format, {}, {}};
  view_.dims.rank = d.view_dims.size();
  const std::size_t kept = std::min(d.view_dims.size(), Dims::kMaxRank);
  std::copy_n(d.view_dims.begin(), kept, view_.dims.sizes.begin());
  std::copy_n(d.strides.begin(), kept, view_.strides.begin());
  view_.known_well_formed = IsWellFormed(view_);
  // An offset that no memory has must not wrap around to one that some has.
  constexpr std::int64_t kMaxOffset = std::int64_t{1} << 56;
  offset_bytes_ =
      static_cast<std::int64_t>(ItemBytes(d.dtype)) * std::clamp(d.offset, -kMaxOffset, kMaxOffset);
}

}  // namespace belay::runtime
