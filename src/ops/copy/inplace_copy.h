// InplaceCopy: a tensor is broadcast and cast into another one; both may be views.
//
// All rules of the operator live here. kernels/cast.h says what becomes of each value.
// Source: aclnnInplaceCopy.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"

namespace belay::ops {

struct InplaceCopy {
  static constexpr const char* kName = "aclnnInplaceCopy";

  struct Params {};

  /// Index of each argument in Launch::addresses.
  ///   selfRef  [dim_0, ..]  written        src  any shape that broadcasts to selfRef's, read
  enum Address : std::uint8_t { kSelfRef, kSrc };

  BELAY_EXPORT static const OpInfo& Info();
  /// All rules in their published order, each kInvalidParam; then the plan.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const TensorView& self_ref, const TensorView& src,
                                              const Profile& who);
};

}  // namespace belay::ops
