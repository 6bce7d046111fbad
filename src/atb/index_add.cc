// IndexAddOperation: the public parameters become the operator's. Rules: ops/index_add.
#include "ops/index_add/index_add.h"

#include "atb/create.h"
#include "atb/infer_op_params.h"
#include "atb/tensors.h"

namespace atb {

template <>
Status CreateOperation(const infer::IndexAddParam& opParam, Operation** operation) {
  using belay::ops::IndexAdd;
  return belay::atb_face::Create<IndexAdd>(
      "CreateOperation(IndexAddParam)", opParam.rsv,
      [&] {
        return IndexAdd::Params{belay::atb_face::NumberOf(opParam.indexType), opParam.axis};
      },
      operation);
}

}  // namespace atb
