// Casting elements between two views of any strides.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/data_type.h"
#include "base/export.h"
#include "kernels/cast.h"
#include "kernels/strided_copy.h"

namespace belay::kernels {

/// Which cast, between types that CanCast.
struct CastKind {
  DataType from = DataType::kUndefined;
  DataType to = DataType::kUndefined;
  FloatOverflow overflow = FloatOverflow::kInfNan;
};

/// Casts the elements [begin, end) of a box WithMergedDims, its last dimension moving fastest; its
/// items are those of the destination. Where elements have the same size the two sides may be the
/// same view, else they do not overlap.
BELAY_EXPORT void StridedCast(const StridedBox& box, CastKind kind, const std::byte* src,
                              std::byte* dst, std::uint64_t begin, std::uint64_t end);

}  // namespace belay::kernels
