// A wrong index is refused by position, and nothing is written: on a device it would corrupt memory
// in silence. The fault arrives at the call that waits for the work.
#include "../atb_example.h"

int main() {
  Session session;
  atb::infer::IndexAddParam param;
  param.indexType = atb::infer::IndexAddParam::INDEX_ADD;
  atb::Operation* operation = nullptr;
  CHECK(atb::CreateOperation(param, &operation));

  const atb::Tensor var = HalfToDevice({5, 3}, std::vector<float>(15, 1));
  const atb::Tensor indices = ToDevice<int32_t>(ACL_INT32, {3}, {0, 5, 2});
  const atb::Tensor updates = HalfToDevice({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const atb::Tensor alpha = HalfToDevice({1}, {1});
  atb::VariantPack pack;
  pack.inTensors = {var, indices, updates, alpha};
  pack.outTensors = {var};

  const aclError error = session.Run(operation, pack);
  const char* const text = aclGetRecentErrMsg();
  std::printf("aclrtSynchronizeStream returned %d\n%s\n", error,
              text != nullptr ? text : "no text");
  Print(HalfToHost(var), 3);

  for (const atb::Tensor* tensor : {&var, &indices, &updates, &alpha}) {
    CHECK(aclrtFree(tensor->deviceData));
  }
  CHECK(atb::DestroyOperation(operation));
  return error == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION ? 0 : 1;
}
