// IndexAdd: rows of updates are added to the rows of var that indices names, in place.
//
// All rules of the operator live here. Where the released library differs from the document, see
// the point kIndexAddOtherOutput of base/behaviour.h.
// Source: IndexAddOperation.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "ops/operator.h"
#include "ops/tensor_operator.h"

namespace belay::ops {

struct IndexAdd {
  /// The published numbers of IndexType.
  enum Type : std::int32_t { kUndefined, kIndexAdd, kIndexAddValid };

  struct Params {
    std::int32_t index_type = kUndefined;  // as the caller gave it: may be no Type
    std::int64_t axis = 0;
  };

  /// Index of each argument in Launch::addresses.
  ///   var      [dim_0, .., dim_n]                   in and out; kIndexAddValid: [dim_1, dim_2]
  ///   indices  [dim_x], each in [0, dim_axis)       read
  ///   updates  as var, but dim_x along axis         read, var's type
  ///   scalar   [1]  alpha, var's type; kIndexAddValid: validIndicesNum, int32, in [0, dim_x]
  ///   output   var
  enum Address : std::uint8_t { kVar, kIndices, kUpdates, kScalar, kOutput };

  BELAY_EXPORT static const OpInfo& Info();
  /// kInvalidParam: type, product, axis of kIndexAddValid.
  BELAY_EXPORT static Status CheckParams(const Params& params, const Profile& who);
  /// Of parameters that passed CheckParams.
  BELAY_EXPORT static const Signature& SignatureOf(const Params& params);
  /// kInvalidParam for the axis; kTensorSize or kTensorDim, as published, for the shapes.
  BELAY_EXPORT static StatusOr<InferredOutput> InferShape(const Params& params, Descs inputs,
                                                          const Profile& who);
  /// The same, then kTensorDimNum and kTensorDim for an output of another shape than var.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, Descs inputs, Descs outputs,
                                              const Profile& who);
};

}  // namespace belay::ops
