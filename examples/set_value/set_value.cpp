// The example of the document SetValueOperation: src is copied into a region of dst, in place.
#include "../atb_example.h"

int main() {
  Session session;
  atb::infer::SetValueParam param;
  param.starts = {1, 2};
  param.ends = {4, 4};
  param.strides = {1, 1};
  atb::Operation* operation = nullptr;
  CHECK(atb::CreateOperation(param, &operation));

  const atb::Tensor dst = HalfToDevice({5, 5}, {14,  -2,  2,   -10, -12,  //
                                                -11, 3,   2,   -18, 6,    //
                                                1,   -18, -12, 9,   -6,   //
                                                16,  -11, 6,   -6,  3,    //
                                                12,  18,  14,  10,  9});
  const atb::Tensor src = HalfToDevice({3, 2}, {1, 0,   //
                                                -4, 7,  //
                                                9, -18});
  atb::VariantPack pack;
  pack.inTensors = {dst, src};
  CHECK(session.Run(operation, pack));
  Print(HalfToHost(dst), 5);

  CHECK(aclrtFree(dst.deviceData));
  CHECK(aclrtFree(src.deviceData));
  CHECK(atb::DestroyOperation(operation));
  return 0;
}
