// Work that moves elements between views, with or without a cast; shared by the operators that do.
#pragma once

#include <cstddef>

#include "base/plan.h"
#include "base/tensor_view.h"
#include "kernels/strided_copy.h"
#include "ops/view_rules.h"
#include "ops/views.h"

namespace belay::ops {

/// kInvalidParam unless `src`, aligned to the right, has in each dimension the size of `dst` or 1.
Status CheckBroadcast(const NamedView& src, std::string_view dst_name, const Dims& dst);

/// The copy of each element of `src` to all its places in `dst`, for layouts that CheckBroadcast
/// accepts and items of the same size.
kernels::StridedBox BroadcastBox(const Layout& dst, const Layout& src);

/// Copies all of a box on the compute threads.
void CopyBox(const kernels::StridedBox& box, const std::byte* src, std::byte* dst);

/// One side of a copy: a tensor, and whether it is the first or the second address of the plan.
struct CopySide {
  const char* name;
  const TensorView& view;
  std::size_t address;
};

/// dst = src, broadcast and cast to dst's type, for views that have passed all checks. Without an
/// element there is nothing to run.
Plan PlanCopy(const char* operation, const CopySide& dst, const CopySide& src);

}  // namespace belay::ops
