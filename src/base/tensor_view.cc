#include "base/tensor_view.h"

#include "base/checked_math.h"

namespace belay {

bool IsWellFormed(const TensorView& view) noexcept {
  const std::uint64_t item_bytes = ItemBytes(view.dtype);
  if (view.dims.rank > Dims::kMaxRank || item_bytes == 0) return false;
  std::uint64_t extent = item_bytes;
  std::uint64_t bytes = item_bytes;
  for (std::size_t i = 0; i < view.dims.rank; ++i) {
    if (view.dims[i] < 0 || view.strides[i] < 0) return false;
    const auto size = static_cast<std::uint64_t>(view.dims[i]);
    if (size == 0) continue;  // what the others would need is asked all the same
    const auto stride = CheckedMultiply(static_cast<std::uint64_t>(view.strides[i]), item_bytes);
    const auto reach = stride ? CheckedMultiply(*stride, size - 1) : std::nullopt;
    const auto product = CheckedMultiply(bytes, size);
    if (!reach || !product || *reach > kMaxViewBytes || *product > kMaxViewBytes) return false;
    extent += *reach;
    bytes = *product;
  }
  return extent <= kMaxViewBytes;
}

}  // namespace belay
