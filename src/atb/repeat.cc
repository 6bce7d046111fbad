// RepeatOperation: the public parameters become the operator's. Rules: ops/repeat.
#include "ops/repeat/repeat.h"

#include "atb/create.h"
#include "atb/infer_op_params.h"

namespace atb {

template <>
Status CreateOperation(const infer::RepeatParam& opParam, Operation** operation) {
  using belay::ops::Repeat;
  return belay::atb_face::Create<Repeat>(
      "CreateOperation(RepeatParam)", opParam.rsv,
      [&] {
        // A copy has the elements that the caller's object says it has, whoever filled it.
        const SVector<int64_t> multiples(opParam.multiples);
        return Repeat::Params{{multiples.begin(), multiples.end()}};
      },
      operation);
}

}  // namespace atb
