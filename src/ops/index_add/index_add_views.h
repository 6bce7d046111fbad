// IndexAdd as aclnn publishes it: on tensors of any strides, into a tensor of its own.
//
// All rules of aclnnIndexAdd and aclnnIndexAddV2 live here. Where the released library differs from
// the document, see the point kIndexAddV2FastModeFault of base/behaviour.h.
// Source: documents aclnnIndexAdd and aclnnIndexAddV2.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"
#include "ops/scalar_value.h"

namespace belay::ops {

struct IndexAddViews {
  struct Params {
    std::int64_t dim = 0;
    ScalarValue alpha;
  };
  struct ParamsV2 {
    std::int64_t dim = 0;
    ScalarValue alpha;
    std::int64_t mode = 0;       // 0: alpha counts as 1; else floats are added in double
    bool deterministic = false;  // the program asked for it: aclnnIndexAdd, whatever the mode
  };

  /// In the order of their addresses.
  struct Tensors {
    const TensorView& self;
    const TensorView& index;   // [count], int32 or int64, each in [0, dimension dim of self)
    const TensorView& source;  // as self, but count along dim
    const TensorView& out;     // as self; may be the same view
  };

  /// kInvalidParam. The rules are among those of IndexAdd::Info().
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const Tensors& tensors,
                                              const Profile& who);
  /// The same; for a tensor that mode 0 does not take kInnerNullPointer in the released way.
  BELAY_EXPORT static StatusOr<Plan> MakePlanV2(const ParamsV2& params, const Tensors& tensors,
                                                const Profile& who);
};

}  // namespace belay::ops
