// Expand: a tensor is broadcast to a given shape, like torch.Tensor.expand, into a tensor of its
// own.
//
// All rules of the operator live here.
// Source: aclnnExpand.
#pragma once

#include <cstdint>
#include <span>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"

namespace belay::ops {

struct Expand {
  static constexpr const char* kName = "aclnnExpand";

  /// One entry for each dimension of out; any number of any values may come.
  struct Params {
    std::span<const std::int64_t> size;
  };

  /// Index of each argument in Launch::addresses.
  ///   self  [dim_0, ..]  read        out  [size_0, ..]  written, self's type
  enum Address : std::uint8_t { kSelf, kOut };

  BELAY_EXPORT static const OpInfo& Info();
  /// All rules in their published order, each kInvalidParam; then the plan.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const TensorView& self,
                                              const TensorView& out, const Profile& who);
};

}  // namespace belay::ops
