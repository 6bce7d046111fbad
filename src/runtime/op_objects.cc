#include "runtime/op_objects.h"

#include <algorithm>

namespace belay::runtime {

TensorView OpTensor::View() const noexcept {
  TensorView view{dtype, format, {}, {}};
  view.dims.rank = view_dims.size();
  const std::size_t kept = std::min(view_dims.size(), Dims::kMaxRank);
  std::copy_n(view_dims.begin(), kept, view.dims.sizes.begin());
  std::copy_n(strides.begin(), kept, view.strides.begin());
  return view;
}

void* OpTensor::FirstElement(void* address) const noexcept {
  if (address == nullptr) return nullptr;
  // An offset that no memory has must not wrap around to an address that some has. The memory map
  // refuses the last address.
  constexpr std::int64_t kMaxOffset = std::int64_t{1} << 56;
  const auto base = reinterpret_cast<std::uintptr_t>(address);
  const auto bytes =
      static_cast<std::int64_t>(ItemBytes(dtype)) * std::clamp(offset, -kMaxOffset, kMaxOffset);
  const std::uintptr_t first = base + static_cast<std::uint64_t>(bytes);
  const bool wraps = (bytes < 0) != (first < base) && bytes != 0;
  return reinterpret_cast<void*>(wraps ? UINTPTR_MAX : first);
}

}  // namespace belay::runtime
