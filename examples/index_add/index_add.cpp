// Both examples of the document IndexAddOperation: rows of updates are added to the rows of var
// that indices names; with INDEX_ADD_VALID only the first validIndicesNum of them.
#include "../atb_example.h"

namespace {

void IndexAdd(Session& session, atb::infer::IndexAddParam::IndexType type, const atb::Tensor& var,
              const atb::Tensor& indices, const atb::Tensor& updates, const atb::Tensor& last) {
  atb::infer::IndexAddParam param;
  param.indexType = type;
  param.axis = 0;
  atb::Operation* operation = nullptr;
  CHECK(atb::CreateOperation(param, &operation));

  atb::VariantPack pack;
  pack.inTensors = {var, indices, updates, last};
  pack.outTensors = {var};  // the output is var itself
  CHECK(session.Run(operation, pack));
  Print(HalfToHost(var), 3);

  for (const atb::Tensor* tensor : {&var, &indices, &updates, &last}) {
    CHECK(aclrtFree(tensor->deviceData));
  }
  CHECK(atb::DestroyOperation(operation));
}

}  // namespace

int main() {
  Session session;
  std::printf("INDEX_ADD\n");
  IndexAdd(session, atb::infer::IndexAddParam::INDEX_ADD,
           HalfToDevice({5, 3}, std::vector<float>(15, 1)),
           ToDevice<int32_t>(ACL_INT32, {3}, {0, 4, 2}),
           HalfToDevice({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), HalfToDevice({1}, {1}));
  std::printf("INDEX_ADD_VALID\n");
  IndexAdd(session, atb::infer::IndexAddParam::INDEX_ADD_VALID,
           HalfToDevice({5, 3}, std::vector<float>(15, 0)),
           ToDevice<int32_t>(ACL_INT32, {5}, {0, 2, 2, -1, -1}),
           HalfToDevice({5, 3}, {0, 1, 2, 1, 2, 3, 2, 3, 4, 5, 6, 7, 6, 7, 8}),
           ToDevice<int32_t>(ACL_INT32, {1}, {3}));
  return 0;
}
