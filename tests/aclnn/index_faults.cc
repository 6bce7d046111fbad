#include "aclnn/index_faults.h"

#include <gtest/gtest.h>

#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "opdev/op_errno.h"

namespace belay::test {
namespace {

// Phase one with handles that nobody made: 0 is null. Nulls come before what they are.
aclnnStatus PhaseOneWith(IndexOp op, std::uintptr_t (&handles)[5], uint64_t* size,
                         aclOpExecutor** executor) {
  const auto tensor = [&](std::size_t i) { return reinterpret_cast<aclTensor*>(handles[i]); };
  const auto* const alpha = reinterpret_cast<const aclScalar*>(handles[3]);
  switch (op) {
    case IndexOp::kAdd:
      return aclnnIndexAddGetWorkspaceSize(tensor(0), 0, tensor(1), tensor(2), alpha, tensor(4),
                                           size, executor);
    case IndexOp::kAddV2:
      return aclnnIndexAddV2GetWorkspaceSize(tensor(0), 0, tensor(1), tensor(2), alpha, 1,
                                             tensor(4), size, executor);
    case IndexOp::kCopy:
      return aclnnIndexCopyGetWorkspaceSize(tensor(0), 0, tensor(1), tensor(2), tensor(3), size,
                                            executor);
    default:
      return aclnnInplaceIndexCopyGetWorkspaceSize(tensor(0), 0, tensor(1), tensor(2), size,
                                                   executor);
  }
}

}  // namespace

void ExpectFaultsInOrder(const IndexCase& good, const std::vector<CaseFault>& faults) {
  EXPECT_EQ(PhaseOneOf(good), ACLNN_SUCCESS) << TakeMessages();
  for (std::size_t i = 0; i < faults.size(); ++i) {
    SCOPED_TRACE(faults[i].message);
    IndexCase call = good;
    faults[i].apply(call);
    ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID, faults[i].message);
    for (std::size_t later = i + 1; later < faults.size(); ++later) {
      SCOPED_TRACE(faults[later].message);
      IndexCase both = good;
      faults[later].apply(both);
      faults[i].apply(both);
      // What the first one says of the others may depend on them.
      const std::string told = faults[i].message.substr(0, faults[i].message.find(';'));
      ExpectRefused(PhaseOneOf(both), ACLNN_ERR_PARAM_INVALID, told);
    }
  }
}

void ExpectNullsRefused(const IndexCase& good, const std::vector<std::string>& handles) {
  aclOpExecutor* executor = nullptr;
  uint64_t size = 77;
  std::uintptr_t values[5] = {8, 8, 8, 8, 8};
  for (std::size_t i = handles.size(); i-- > 0;) {
    values[i] = 0;
    ExpectRefused(PhaseOneWith(good.op, values, &size, &executor), ACLNN_ERR_PARAM_NULLPTR,
                  handles[i] + " is null");
  }
  ExpectRefused(PhaseOneWith(good.op, values, nullptr, &executor), ACLNN_ERR_PARAM_NULLPTR,
                "workspaceSize is null");
  ExpectRefused(PhaseOneWith(good.op, values, &size, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                "executor is null");
  EXPECT_EQ(size, 77U);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace belay::test
