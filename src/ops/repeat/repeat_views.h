// Repeat over views, as aclnn publishes it: more types than ATB's, entries of 0, views with any
// strides, empty tensors.
//
// All rules of the face's operator live here. Where the released library differs from the document,
// see the points kRepeatViews... of base/behaviour.h.
// Source: aclnnRepeat.
#pragma once

#include <cstdint>
#include <span>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"

namespace belay::ops {

struct RepeatViews {
  static constexpr const char* kName = "aclnnRepeat";

  /// One entry for each dimension of out; any number of any values may come.
  struct Params {
    std::span<const std::int64_t> repeats;
  };

  /// Index of each argument in Launch::addresses.
  ///   self  [dim_0, ..]  read        out  [repeats_0 * dim_0, ..]  written, self's type
  enum Address : std::uint8_t { kSelf, kOut };

  BELAY_EXPORT static const OpInfo& Info();
  /// All rules in their published order: kInvalidParam, and kInnerNullPointer for more repeated
  /// dimensions than the device takes; then the plan.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const TensorView& self,
                                              const TensorView& out, const Profile& who);
};

}  // namespace belay::ops
