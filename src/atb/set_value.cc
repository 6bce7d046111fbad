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
        // A copy has the elements that the caller's object says it has, whoever filled it.
        const infer::SetValueParam copy(opParam);
        return SetValue::Params{{copy.starts.begin(), copy.starts.end()},
                                {copy.ends.begin(), copy.ends.end()},
                                {copy.strides.begin(), copy.strides.end()}};
      },
      operation);
}

}  // namespace atb
