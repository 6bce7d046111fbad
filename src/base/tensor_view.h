// What an operator is told about a tensor that is a view of some memory: type, format, shape and
// strides, never an address. A view begins at its first element.
#pragma once

#include <array>
#include <cstdint>

#include "base/data_type.h"
#include "base/export.h"
#include "base/tensor_desc.h"

namespace belay {

struct TensorView {
  DataType dtype = DataType::kUndefined;
  Format format = Format::kUndefined;
  Dims dims;  // rank 0: one element
  /// How many elements lie between neighbours of each dimension. Any number may come.
  std::array<std::int64_t, Dims::kMaxRank> strides{};
  /// IsWellFormed has said so before; false where nobody has asked. Who changes the view, changes
  /// this.
  bool known_well_formed = false;
};

/// No memory is larger, and sums of a few such numbers fit into an int64.
inline constexpr std::uint64_t kMaxViewBytes = std::uint64_t{1} << 60;

/// Whether some memory can have this view: at most 8 dimensions, no negative one, no negative
/// stride, a type of whole bytes, and at most kMaxViewBytes, gaps included.
[[nodiscard]] BELAY_EXPORT bool IsWellFormed(const TensorView& view) noexcept;

/// The view of a tensor without gaps.
inline TensorView ContiguousView(DataType dtype, const Dims& dims) noexcept {
  TensorView view{dtype, Format::kNd, dims, {}};
  std::uint64_t stride = 1;
  for (std::size_t i = dims.rank; i-- > 0;) {
    view.strides[i] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(dims[i]);
  }
  return view;
}

}  // namespace belay
