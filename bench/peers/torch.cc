// libtorch, the library beneath PyTorch, called from C++. Tensors are views of the case's memory.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "peers/peer.h"

namespace belay::bench {
namespace {

at::ScalarType TorchTypeOf(Type type) {
  switch (type) {
    case Type::kFp16:
      return at::kHalf;
    case Type::kBf16:
      return at::kBFloat16;
    case Type::kFp32:
      return at::kFloat;
    case Type::kInt32:
      return at::kInt;
    case Type::kInt64:
      return at::kLong;
  }
  return at::kByte;
}

at::Tensor TensorOf(at::ScalarType type, const Shape& shape, const void* memory) {
  const c10::InferenceMode preparing;
  return at::from_blob(const_cast<void*>(memory), shape, at::TensorOptions().dtype(type));
}

class Torch : public Peer {
 public:
  explicit Torch(unsigned threads) { at::set_num_threads(static_cast<int>(threads)); }

  [[nodiscard]] std::string_view name() const override { return "libtorch"; }

  Call SetValue(const SetValueProblem& problem) override {
    const at::ScalarType type = TorchTypeOf(problem.type);
    const c10::InferenceMode preparing;
    at::Tensor region = TensorOf(type, problem.dst_shape, problem.dst);
    for (std::size_t i = 0; i < problem.starts.size(); ++i) {
      region = region.narrow(static_cast<std::int64_t>(i), problem.starts[i], problem.src_shape[i]);
    }
    const at::Tensor src = TensorOf(type, problem.src_shape, problem.src);
    return [region, src]() mutable {
      const c10::InferenceMode no_gradients;
      region.copy_(src);
    };
  }

  /// What Tensor::repeat does, into memory that is already there: y seen as [m0, x0, m1, x1, ..].
  Call Repeat(const RepeatProblem& problem) override {
    const at::ScalarType type = TorchTypeOf(problem.type);
    const c10::InferenceMode preparing;
    Shape unrolled_x;
    Shape unrolled_y;
    for (std::size_t i = 0; i < problem.x_shape.size(); ++i) {
      unrolled_x.insert(unrolled_x.end(), {1, problem.x_shape[i]});
      unrolled_y.insert(unrolled_y.end(), {problem.multiples[i], problem.x_shape[i]});
    }
    at::Tensor y = TensorOf(type, unrolled_y, problem.y);
    const at::Tensor x = TensorOf(type, unrolled_x, problem.x).expand(unrolled_y);
    return [y, x]() mutable {
      const c10::InferenceMode no_gradients;
      y.copy_(x);
    };
  }

  Call IndexAdd(const IndexAddProblem& problem) override {
    const at::ScalarType type = TorchTypeOf(problem.type);
    at::Tensor var = TensorOf(type, problem.var_shape, problem.var);
    const at::Tensor indices = TensorOf(at::kInt, {problem.index_count}, problem.indices);
    const at::Tensor updates = TensorOf(type, UpdatesShape(problem), problem.updates);
    const auto axis = static_cast<std::int64_t>(problem.axis);
    return [=]() mutable {
      const c10::InferenceMode no_gradients;
      var.index_add_(axis, indices, updates);
    };
  }
};

}  // namespace

std::unique_ptr<Peer> MakeTorch(unsigned threads) { return std::make_unique<Torch>(threads); }

}  // namespace belay::bench
