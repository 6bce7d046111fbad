// Both examples of the document RepeatOperation: [1, 2, 3] and [2, 3], repeated {1, 2, 2} times.
#include "../atb_example.h"

namespace {

void Repeat(Session& session, std::initializer_list<int64_t> shape) {
  atb::infer::RepeatParam param;
  param.multiples = {1, 2, 2};
  atb::Operation* operation = nullptr;
  CHECK(atb::CreateOperation(param, &operation));

  const atb::Tensor x = HalfToDevice(shape, {1, 2, 3, 4, 5, 6});
  atb::SVector<atb::TensorDesc> inputs = {x.desc};
  atb::SVector<atb::TensorDesc> outputs;
  CHECK(operation->InferShape(inputs, outputs));
  const atb::Dims& inferred = outputs.at(0).shape;
  std::printf("y: [%d, %d, %d]\n", static_cast<int>(inferred.dims[0]),
              static_cast<int>(inferred.dims[1]), static_cast<int>(inferred.dims[2]));
  const atb::Tensor y = HalfToDevice({1, 4, 6}, std::vector<float>(24));

  atb::VariantPack pack;
  pack.inTensors = {x};
  pack.outTensors = {y};
  CHECK(session.Run(operation, pack));
  Print(HalfToHost(y), 6);

  CHECK(aclrtFree(x.deviceData));
  CHECK(aclrtFree(y.deviceData));
  CHECK(atb::DestroyOperation(operation));
}

}  // namespace

int main() {
  Session session;
  Repeat(session, {1, 2, 3});
  Repeat(session, {2, 3});
  return 0;
}
