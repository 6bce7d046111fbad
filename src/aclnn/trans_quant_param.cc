// aclnnTransQuantParam. Everything it decides is decided in ops/quant_param.
#include "aclnnop/aclnn_trans_quant_param.h"

#include "aclnn/aclnn_call.h"
#include "ops/quant_param/quant_param.h"

using belay::aclnn::AclnnCall;
using belay::aclnn::AclnnProfile;
using belay::aclnn::Machine;
using belay::ops::QuantParam;

aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                 const float* offsetArray, uint64_t offsetSize,
                                 uint64_t** quantParam, uint64_t* quantParamSize) {
  return AclnnCall(
      {"aclnnTransQuantParam", "document aclnnTransQuantParam"}, [&](const Machine& machine) {
        return QuantParam::Execute(
            {scaleArray, scaleSize, offsetArray, offsetSize, quantParam, quantParamSize},
            AclnnProfile(machine));
      });
}
