// Repeat: a tensor is repeated along its dimensions, like torch.Tensor.repeat; bits are copied.
//
// All rules of the operator live here. Where the released library differs from the document, see
// the points kRepeat... of base/behaviour.h.
// Source: RepeatOperation.
#pragma once

#include <cstdint>
#include <vector>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "ops/operator.h"
#include "ops/tensor_operator.h"

namespace belay::ops {

struct Repeat {
  /// One entry for each dimension of y; any number of any values may come.
  struct Params {
    std::vector<std::int64_t> multiples;
  };

  /// Index of each argument in Launch::addresses.
  ///   x  [x_dim_0, ..]  read        y  [y_dim_0, ..]  written, x's type
  enum Address : std::uint8_t { kX, kY };

  BELAY_EXPORT static const OpInfo& Info();
  /// kInvalidParam: product, number of entries, each entry, number of repeated dimensions.
  BELAY_EXPORT static Status CheckParams(const Params& params, const Profile& who);
  BELAY_EXPORT static const Signature& SignatureOf(const Params& params);
  /// kTensorDim; kInvalidParam for a dimension of y that overflows.
  BELAY_EXPORT static StatusOr<InferredOutput> InferShape(const Params& params, Descs inputs,
                                                          const Profile& who);
  /// The same, then kTensorDim for a y of another shape.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, Descs inputs, Descs outputs,
                                              const Profile& who);
};

}  // namespace belay::ops
