// IndexCopy: rows of source take the place of the rows of self that index names.
//
// All rules of aclnnIndexCopy and aclnnInplaceIndexCopy live here.
// Source: document aclnnIndexCopy&aclnnInplaceIndexCopy.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"

namespace belay::ops {

struct IndexCopy {
  struct Params {
    std::int64_t dim = 0;
  };

  /// In the order of their addresses.
  struct Tensors {
    const TensorView& self;
    const TensorView& index;   // [count], int32 or int64, each in [0, dimension dim of self)
    const TensorView& source;  // as self, but count along dim
    const TensorView* out;     // as self; may be the same view. Null: in place
  };

  BELAY_EXPORT static const OpInfo& Info();
  /// kInvalidParam.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const Tensors& tensors,
                                              const Profile& who);
};

}  // namespace belay::ops
