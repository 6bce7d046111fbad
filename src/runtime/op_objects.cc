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
  // Unsigned, so that an absurd offset gives an absurd address, which the memory map refuses.
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(address) +
                               static_cast<std::uint64_t>(offset) * ItemBytes(dtype);
  return reinterpret_cast<void*>(first);
}

}  // namespace belay::runtime
