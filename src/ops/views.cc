#include "ops/views.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/byte_range.h"
#include "ops/strided_sets.h"

namespace belay::ops {
namespace {

bool IsEmpty(const Layout& layout) noexcept { return layout.Count() == 0; }

// In its place: a layout that has just been written is copied slowly.
void SetLayout(Layout& layout, const TensorView& view) noexcept {
  layout.rank = static_cast<std::uint8_t>(view.dims.rank);
  layout.item_bytes = static_cast<std::uint8_t>(ItemBytes(view.dtype));
  for (std::size_t i = 0; i < layout.rank; ++i) {
    layout.sizes[i] = static_cast<std::uint64_t>(view.dims[i]);
    layout.stride_bytes[i] = static_cast<std::uint64_t>(view.strides[i]) * layout.item_bytes;
  }
}

// The elements of the layout as a set of offsets.
StridedSet SetOf(const Layout& layout) noexcept {
  StridedSet set;
  for (std::size_t i = 0; i < layout.rank; ++i) {
    set.Add(layout.stride_bytes[i], layout.sizes[i]);
  }
  return set;
}

std::string DescribeStrides(const TensorView& view) {
  Dims strides = view.dims;
  strides.sizes = view.strides;
  return Describe(strides);
}

}  // namespace

std::uint64_t Layout::ExtentBytes() const noexcept {
  if (IsEmpty(*this)) return 0;
  std::uint64_t extent = item_bytes;
  for (std::size_t i = 0; i < rank; ++i) extent += (sizes[i] - 1) * stride_bytes[i];
  return extent;
}

bool Layout::IsContiguous() const noexcept {
  if (IsEmpty(*this)) return true;
  std::uint64_t stride = item_bytes;
  for (std::size_t i = rank; i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (stride_bytes[i] != stride) return false;
    stride *= sizes[i];
  }
  return true;
}

Status CheckView(std::string_view name, const TensorView& view) {
  if (view.known_well_formed || IsWellFormed(view)) return {};
  // What follows only finds the words.
  if (view.dims.rank > Dims::kMaxRank) {
    return Refuse(Fault::kInvalidParam, "{} has {} dimensions; allowed 0 to {}", name,
                  view.dims.rank, Dims::kMaxRank);
  }
  if (ItemBytes(view.dtype) == 0) {
    return Refuse(Fault::kInvalidParam, "{} is of type {}; allowed types of whole bytes", name,
                  Name(view.dtype));
  }
  for (std::size_t i = 0; i < view.dims.rank; ++i) {
    if (view.dims[i] < 0) {
      return Refuse(Fault::kInvalidParam, "dimension {} of {} is {}; allowed 0 and above", i, name,
                    view.dims[i]);
    }
    if (view.strides[i] < 0) {
      return Refuse(Fault::kInvalidParam, "stride {} of {} is {}; allowed 0 and above", i, name,
                    view.strides[i]);
    }
  }
  return Refuse(
      Fault::kInvalidParam,
      "{} is {} {} with strides {}, whose size in bytes overflows; allowed up to {} bytes", name,
      Name(view.dtype), Describe(view.dims), DescribeStrides(view), kMaxViewBytes);
}

Status CheckWritableView(std::string_view name, const TensorView& view) {
  if (IsEmpty(view)) return {};
  const Layout layout = LayoutOf(view);
  if (layout.IsContiguous() || SetOf(layout).AreApart(layout.item_bytes)) return {};
  return Refuse(Fault::kInvalidParam,
                "{} is {} with strides {}, so two of its indices mean the same element; allowed "
                "written tensors whose elements lie apart",
                name, Describe(view.dims), DescribeStrides(view));
}

bool IsEmpty(const TensorView& view) noexcept {
  const std::span<const std::int64_t> dims = view.dims.span();
  return std::ranges::find(dims, 0) != dims.end();
}

Layout LayoutOf(const TensorView& view) noexcept {
  Layout layout;
  SetLayout(layout, view);
  return layout;
}

Layout ContiguousLayout(const Layout& layout) noexcept {
  Layout result = layout;
  std::uint64_t stride = layout.item_bytes;
  for (std::size_t i = layout.rank; i-- > 0;) {
    result.stride_bytes[i] = stride;
    stride *= layout.sizes[i];
  }
  return result;
}

bool ShareBytes(const Layout& a, std::uintptr_t a_address, const Layout& b,
                std::uintptr_t b_address) noexcept {
  const std::uint64_t a_extent = a.ExtentBytes();
  const std::uint64_t b_extent = b.ExtentBytes();
  if (a_extent == 0 || b_extent == 0) return false;
  const bool apart =
      a_address < b_address ? b_address - a_address >= a_extent : a_address - b_address >= b_extent;
  if (apart) return false;
  const auto distance = static_cast<std::int64_t>(b_address - a_address);
  return Meet(SetOf(a), a.item_bytes, SetOf(b), b.item_bytes, distance);
}

bool AreSameView(const Layout& a, std::uintptr_t a_address, const Layout& b,
                 std::uintptr_t b_address) noexcept {
  if (a_address != b_address || a.item_bytes != b.item_bytes) return false;
  if (a.rank == b.rank && std::equal(a.sizes.begin(), a.sizes.begin() + a.rank, b.sizes.begin()) &&
      std::equal(a.stride_bytes.begin(), a.stride_bytes.begin() + a.rank, b.stride_bytes.begin())) {
    return true;
  }
  const StridedSet a_set = SetOf(a);
  const StridedSet b_set = SetOf(b);
  return std::equal(a_set.begin(), a_set.end(), b_set.begin(), b_set.end());
}

void AddViews(Plan& plan, ViewSet& set, std::span<const ViewUse> views) noexcept {
  set.count = static_cast<std::uint8_t>(views.size());
  for (std::size_t i = 0; i < views.size(); ++i) {
    const ViewUse& view = views[i];
    if (view.view == nullptr) {
      set.layouts[i] = {};
    } else {
      SetLayout(set.layouts[i], *view.view);
    }
    const std::uint64_t extent = set.layouts[i].ExtentBytes();
    plan.AddAccess({view.name, static_cast<std::uint8_t>(i), view.mode, 0, extent, extent});
  }
  plan.check_addresses = CheckViewAddresses;
}

Status CheckViewAddresses(const Plan& plan, std::span<void* const> addresses) {
  const auto& set = plan.Parameters<ViewSet>();
  const std::span<const Access> accesses = plan.accesses();
  const auto address = [&](std::size_t i) {
    return reinterpret_cast<std::uintptr_t>(addresses[i]);
  };
  for (std::size_t written = 0; written < set.count; ++written) {
    if (accesses[written].mode == AccessMode::kRead) continue;
    for (std::size_t other = 0; other < set.count; ++other) {
      if (other == written) continue;
      const Layout& a = set.layouts[written];
      const Layout& b = set.layouts[other];
      const bool apart = !ByteRange{address(written), accesses[written].extent}.Overlaps(
          {address(other), accesses[other].extent});
      if (apart || AreSameView(a, address(written), b, address(other)) ||
          !ShareBytes(a, address(written), b, address(other))) {
        continue;
      }
      return Refuse(Fault::kTensorAddr,
                    "{} at {:#x} ({} bytes) and {} at {:#x} ({} bytes) share elements; allowed "
                    "tensors apart from each other, or the same view",
                    accesses[written].argument, address(written), accesses[written].extent,
                    accesses[other].argument, address(other), accesses[other].extent);
    }
  }
  return {};
}

}  // namespace belay::ops
