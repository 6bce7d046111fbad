// Eigen: its tensor module for blocks and repetitions, its arrays for sums of rows. One thread.
// Compiled for this very machine, as Eigen chooses its instructions when it is compiled.
#include <Eigen/Core>
#include <array>
#include <unsupported/Eigen/CXX11/Tensor>

#include "peers/peer.h"

namespace belay::bench {
namespace {

constexpr int kRank = 5;
using Sizes = std::array<Eigen::Index, kRank>;
template <class T>
using Map = Eigen::TensorMap<Eigen::Tensor<T, kRank, Eigen::RowMajor>>;

/// Filled up to kRank dimensions from the left.
Sizes SizesOf(const Shape& shape, Eigen::Index filler) {
  Sizes sizes;
  sizes.fill(filler);
  for (std::size_t i = 0; i < shape.size(); ++i) sizes[kRank - shape.size() + i] = shape[i];
  return sizes;
}

template <class T>
Call SetValueOf(const SetValueProblem& problem) {
  Map<T> dst(reinterpret_cast<T*>(problem.dst), SizesOf(problem.dst_shape, 1));
  const Map<T> src(reinterpret_cast<T*>(const_cast<std::byte*>(problem.src)),
                   SizesOf(problem.src_shape, 1));
  const Sizes starts = SizesOf(problem.starts, 0);
  const Sizes sizes = SizesOf(problem.src_shape, 1);
  return [=]() mutable { dst.slice(starts, sizes) = src; };
}

template <class T>
Call RepeatOf(const RepeatProblem& problem) {
  Map<T> y(reinterpret_cast<T*>(problem.y), SizesOf(RepeatedShape(problem), 1));
  const Map<T> x(reinterpret_cast<T*>(const_cast<std::byte*>(problem.x)),
                 SizesOf(problem.x_shape, 1));
  const Sizes multiples = SizesOf(problem.multiples, 1);
  return [=]() mutable { y = x.broadcast(multiples); };
}

template <class T>
Call IndexAddOf(const IndexAddProblem& problem) {
  using Row = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
  const AxisView view = ViewAlong(problem.var_shape, problem.axis);
  return [problem, view] {
    T* var = reinterpret_cast<T*>(problem.var);
    T* updates = reinterpret_cast<T*>(const_cast<std::byte*>(problem.updates));
    for (std::int64_t o = 0; o < view.outer; ++o) {
      for (std::int64_t k = 0; k < problem.index_count; ++k) {
        Row row(var + (o * view.size + problem.indices[k]) * view.inner, view.inner);
        row += Row(updates + (o * problem.index_count + k) * view.inner, view.inner);
      }
    }
  };
}

class EigenPeer : public Peer {
 public:
  [[nodiscard]] std::string_view name() const override { return "Eigen"; }

  Call SetValue(const SetValueProblem& problem) override {
    switch (problem.type) {
      case Type::kFp16:
        return SetValueOf<Eigen::half>(problem);
      case Type::kBf16:
        return SetValueOf<Eigen::bfloat16>(problem);
      case Type::kFp32:
        return SetValueOf<float>(problem);
      case Type::kInt32:
        return SetValueOf<std::int32_t>(problem);
      case Type::kInt64:
        return SetValueOf<std::int64_t>(problem);
    }
    return {};
  }

  Call Repeat(const RepeatProblem& problem) override {
    if (problem.type == Type::kFp16) return RepeatOf<Eigen::half>(problem);
    if (problem.type == Type::kBf16) return RepeatOf<Eigen::bfloat16>(problem);
    return {};
  }

  Call IndexAdd(const IndexAddProblem& problem) override {
    if (problem.type == Type::kFp16) return IndexAddOf<Eigen::half>(problem);
    return IndexAddOf<Eigen::bfloat16>(problem);
  }
};

}  // namespace

std::unique_ptr<Peer> MakeEigen() { return std::make_unique<EigenPeer>(); }

}  // namespace belay::bench
