// SetValueOperation: the public parameters become the operator's. Rules: ops/set_value.
#include "ops/set_value/set_value.h"

#include "atb/create.h"
#include "atb/infer_op_params.h"

namespace atb {

template <>
Status CreateOperation(const infer::SetValueParam& opParam, Operation** operation) {
  using belay::ops::SetValue;
  return belay::atb_face::Create<SetValue>(
      "CreateOperation(SetValueParam)", opParam.rsv,
      [&] {
        return SetValue::Params{{opParam.starts.begin(), opParam.starts.end()},
                                {opParam.ends.begin(), opParam.ends.end()},
                                {opParam.strides.begin(), opParam.strides.end()}};
      },
      operation);
}

}  // namespace atb
