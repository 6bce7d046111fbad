// IndexAddOperation: the public parameters become the operator's. Rules: ops/index_add.
#include "ops/index_add/index_add.h"

#include <cstdint>
#include <cstring>

#include "atb/create.h"
#include "atb/infer_op_params.h"

namespace atb {

template <>
Status CreateOperation(const infer::IndexAddParam& opParam, Operation** operation) {
  using belay::ops::IndexAdd;
  return belay::atb_face::Create<IndexAdd>(
      "CreateOperation(IndexAddParam)", opParam.rsv,
      [&] {
        // A program may have stored any number; reading it as the enum would be undefined.
        std::int32_t index_type = 0;
        static_assert(sizeof(index_type) == sizeof(opParam.indexType));
        std::memcpy(&index_type, &opParam.indexType, sizeof(index_type));
        return IndexAdd::Params{index_type, opParam.axis};
      },
      operation);
}

}  // namespace atb
