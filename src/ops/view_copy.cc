#include "ops/view_copy.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "kernels/strided_cast.h"
#include "ops/byte_ranges.h"

namespace belay::ops {
namespace {

struct Work {
  ViewSet views;
  std::uint8_t dst = 0;
  std::uint8_t src = 0;
  kernels::CastKind kind;
};

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  kernels::CastKind kind = work.kind;
  kind.overflow = plan.overflow;
  auto* const dst = static_cast<std::byte*>(addresses[work.dst]);
  const auto* const src = static_cast<const std::byte*>(addresses[work.src]);
  const kernels::StridedBox box =
      BroadcastBox(work.views.layouts[work.dst], work.views.layouts[work.src]);
  if (kind.from == kind.to) {
    CopyBox(box, src, dst);
    return {};
  }
  const kernels::StridedBox merged = kernels::WithMergedDims(box);
  const std::uint64_t item_bytes = std::max(ItemBytes(kind.from), ItemBytes(kind.to));
  ForByteRanges(merged.ItemCount() * item_bytes, [&](std::uint64_t begin, std::uint64_t end) {
    kernels::StridedCast(merged, kind, src, dst, begin / item_bytes, end / item_bytes);
  });
  return {};
}

}  // namespace

Status CheckBroadcast(const NamedView& src, std::string_view dst_name, const Dims& dst) {
  const Dims& dims = src.view.dims;
  bool fits = dims.rank <= dst.rank;
  for (std::size_t i = 0; fits && i < dims.rank; ++i) {
    const std::int64_t size = dst[dst.rank - dims.rank + i];
    fits = dims[i] == size || dims[i] == 1;
  }
  if (fits) return {};
  return Refuse(Fault::kInvalidParam,
                "{} is {}; allowed shapes that broadcast to {}, that of {}: from the last "
                "dimension on, the same size or 1",
                src.name, Describe(dims), Describe(dst), dst_name);
}

kernels::StridedBox BroadcastBox(const Layout& dst, const Layout& src) {
  kernels::StridedBox box;
  box.rank = dst.rank;
  box.item_bytes = dst.item_bytes;
  const std::size_t added = std::size_t{dst.rank} - src.rank;
  for (std::size_t i = 0; i < dst.rank; ++i) {
    box.sizes[i] = dst.sizes[i];
    box.dst_stride_bytes[i] = dst.stride_bytes[i];
    const bool repeats = i < added || src.sizes[i - added] == 1;
    box.src_stride_bytes[i] = repeats ? 0 : src.stride_bytes[i - added];
  }
  return box;
}

void CopyBox(const kernels::StridedBox& box, const std::byte* src, std::byte* dst) {
  // Only the same view may share bytes with what is written: it is there already.
  if (src == dst) return;
  const kernels::StridedBox merged = kernels::Merged(box);
  ForByteRanges(merged.TotalBytes(), [&](std::uint64_t begin, std::uint64_t end) {
    kernels::StridedCopy(merged, src, dst, begin / merged.item_bytes, end / merged.item_bytes);
  });
}

Plan PlanCopy(const char* operation, const CopySide& dst, const CopySide& src) {
  std::array<ViewUse, 2> uses;
  uses[dst.address] = {dst.name, &dst.view, AccessMode::kWrite};
  uses[src.address] = {src.name, &src.view, AccessMode::kRead};
  Plan plan;
  plan.operation = operation;
  auto& work = plan.EmplaceParameters<Work>();
  AddViews(plan, work.views, uses);
  work.dst = static_cast<std::uint8_t>(dst.address);
  work.src = static_cast<std::uint8_t>(src.address);
  work.kind = {src.view.dtype, dst.view.dtype, FloatOverflow::kInfNan};
  const Layout& written = work.views.layouts[dst.address];
  if (written.Count() == 0) return plan;
  plan.kernel = src.view.dtype == dst.view.dtype ? "StridedCopy" : "StridedCast";
  plan.run = Run;
  // The ranges may have gaps, and be read more than once.
  plan.traffic_bytes = written.TotalBytes() + work.views.layouts[src.address].TotalBytes();
  return plan;
}

}  // namespace belay::ops
