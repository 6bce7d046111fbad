// TransQuantParam over tensors: scales and offsets in device memory become packed words, on a
// stream. belay/quant_param.h says what is in a word.
//
// All rules of the operator live here. Where the released library differs from the document, see
// the points kQuantParamTensor... of base/behaviour.h.
// Source: aclnnTransQuantParamV2, aclnnTransQuantParamV3.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "ops/operator.h"

namespace belay::ops {

struct QuantParamTensor {
  static constexpr const char* kV2 = "aclnnTransQuantParamV2";
  static constexpr const char* kV3 = "aclnnTransQuantParamV3";

  struct Params {
    const char* name = kV2;       // which of the two asks
    std::int64_t round_mode = 0;  // of scales to 19 bits: 0 cuts off, 1 nearest even
  };

  /// Index of each argument in Launch::addresses.
  ///   scale   [t], [1, n] or [g, n]    read    offset  [t] or [1, n]    read, may be absent
  ///   out     [max of both] or scale's shape   written
  enum Address : std::uint8_t { kScale, kOffset, kOut };

  BELAY_EXPORT static const OpInfo& Info();

  /// All rules in their published order, each kInvalidParam; then the plan.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const TensorView& scale,
                                              const TensorView* offset, const TensorView& out,
                                              const Profile& who);
};

}  // namespace belay::ops
