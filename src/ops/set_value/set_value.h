// SetValue: src is copied into a box of dst, in place. No output tensor.
//
// All rules of the operator live here.
// Source: SetValueOperation.
#pragma once

#include <cstdint>
#include <vector>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "ops/operator.h"
#include "ops/tensor_operator.h"

namespace belay::ops {

struct SetValue {
  /// One entry for each dimension of dst; any number of any values may come.
  struct Params {
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> ends;
    std::vector<std::int64_t> strides;
  };

  /// Index of each argument in Launch::addresses.
  ///   dst  [dim_0, .., dim_n]         in and out; bytes outside the box keep their bits
  ///   src  [ends - starts]            dst's type
  enum Address : std::uint8_t { kDst, kSrc };

  BELAY_EXPORT static const OpInfo& Info();
  /// kInvalidParam on a product that is not served; the entries are looked at with the tensors.
  BELAY_EXPORT static Status CheckParams(const Params& params, const Profile& who);
  BELAY_EXPORT static const Signature& SignatureOf(const Params& params);
  /// kTensorDimNum, kTensorDim, kInvalidParam.
  BELAY_EXPORT static StatusOr<InferredOutput> InferShape(const Params& params, Descs inputs,
                                                          const Profile& who);
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, Descs inputs, Descs outputs,
                                              const Profile& who);
};

}  // namespace belay::ops
