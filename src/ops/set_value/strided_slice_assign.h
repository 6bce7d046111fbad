// StridedSliceAssignV2: a tensor is copied into a strided slice of another one, in place, like
// var[begin:end:stride, ..] = value.
//
// All rules of the operator live here. Where the released library differs from the document, see
// the points kStridedSliceAssign... of base/behaviour.h.
// Source: aclnnStridedSliceAssignV2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"

namespace belay::ops {

struct StridedSliceAssign {
  static constexpr const char* kName = "aclnnStridedSliceAssignV2";

  /// One entry for each axis that is sliced; any number of any values may come.
  struct Params {
    std::span<const std::int64_t> begin;
    std::span<const std::int64_t> end;
    std::span<const std::int64_t> strides;
    /// Which axes; without, the first ones.
    std::optional<std::span<const std::int64_t>> axes;
  };

  /// Index of each argument in Launch::addresses.
  ///   varRef  [dim_0, ..]  elements outside the slice keep their bits
  ///   inputValue  [as many as the slice has, ..]  read, varRef's type
  enum Address : std::uint8_t { kVarRef, kInputValue };

  BELAY_EXPORT static const OpInfo& Info();
  /// kInvalidParam for the product, types and strides of views, kTiling for what the tiling
  /// refuses; then the plan.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const TensorView& var_ref,
                                              const TensorView& input_value, const Profile& who);
};

}  // namespace belay::ops
