// Tensors that are views: which are well-formed, which bytes they lie on, and which share memory.
//
// Everything an operator of the aclnn face needs to know about strides, once.
// Source: aclnn API, tensor model; contract for views in docs/compatibility.md.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"

namespace belay::ops {

/// Where the elements of a view lie, from its first one on. Of fixed size, for plans to keep; of
/// the arrays only as much is set as there are dimensions.
struct Layout {
  std::array<std::uint64_t, Dims::kMaxRank> sizes;
  std::array<std::uint64_t, Dims::kMaxRank> stride_bytes;
  std::uint8_t rank = 0;
  std::uint8_t item_bytes = 0;

  [[nodiscard]] std::uint64_t Count() const noexcept {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < rank; ++i) count *= sizes[i];
    return count;
  }
  [[nodiscard]] std::uint64_t TotalBytes() const noexcept { return Count() * item_bytes; }
  /// From the first byte of the lowest element to the last of the highest; 0 without elements.
  [[nodiscard]] BELAY_EXPORT std::uint64_t ExtentBytes() const noexcept;
  /// Whether the elements follow each other without gaps, in order.
  [[nodiscard]] BELAY_EXPORT bool IsContiguous() const noexcept;
};

/// kInvalidParam for a view that is not well-formed; the message says why.
BELAY_EXPORT Status CheckView(std::string_view name, const TensorView& view);

/// kInvalidParam when two indices of the view mean the same bytes: such a tensor is not written to.
BELAY_EXPORT Status CheckWritableView(std::string_view name, const TensorView& view);

/// Whether a view that CheckView accepts has no elements.
[[nodiscard]] BELAY_EXPORT bool IsEmpty(const TensorView& view) noexcept;

/// The layout of a view that CheckView accepts.
[[nodiscard]] BELAY_EXPORT Layout LayoutOf(const TensorView& view) noexcept;

/// A layout without gaps.
[[nodiscard]] BELAY_EXPORT Layout ContiguousLayout(const Layout& layout) noexcept;

/// Whether an element of one lies on bytes of an element of the other. Strides that no program
/// writes can make that too hard to tell; then the answer is yes.
[[nodiscard]] BELAY_EXPORT bool ShareBytes(const Layout& a, std::uintptr_t a_address,
                                           const Layout& b, std::uintptr_t b_address) noexcept;

/// Whether each index means the same bytes in both; dimensions of one element play no part.
[[nodiscard]] BELAY_EXPORT bool AreSameView(const Layout& a, std::uintptr_t a_address,
                                            const Layout& b, std::uintptr_t b_address) noexcept;

/// The layouts of a plan's arguments, by index of their addresses. First member of the parameters
/// of each plan whose check_addresses is CheckViewAddresses.
struct ViewSet {
  static constexpr std::size_t kMaxViews = 4;

  std::array<Layout, kMaxViews> layouts;
  std::uint8_t count = 0;
};

/// A view of a plan: its name in messages, and how it is used.
struct ViewUse {
  const char* name;
  const TensorView* view;  // null: not given
  AccessMode mode;
};

/// Enters the views, in the order of their addresses, as accesses of the plan and into `set`, which
/// is among the plan's parameters; `plan.check_addresses` is set.
BELAY_EXPORT void AddViews(Plan& plan, ViewSet& set, std::span<const ViewUse> views) noexcept;

/// kTensorAddr when a view that is written shares bytes with another one, unless the two are the
/// same view: then the operator works in place.
BELAY_EXPORT Status CheckViewAddresses(const Plan& plan, std::span<void* const> addresses);

}  // namespace belay::ops
