// One operator with its parameters, whatever its type: what LibraryOperation asks.
#pragma once

#include <string_view>
#include <utility>

#include "base/plan.h"
#include "base/status.h"
#include "ops/tensor_operator.h"

namespace belay::atb_face {

class OperatorInstance {
 public:
  OperatorInstance() = default;
  OperatorInstance(const OperatorInstance&) = delete;
  OperatorInstance& operator=(const OperatorInstance&) = delete;
  virtual ~OperatorInstance() = default;

  [[nodiscard]] virtual const ops::OpInfo& Info() const = 0;
  [[nodiscard]] virtual const ops::Signature& SignatureOf() const = 0;
  [[nodiscard]] virtual StatusOr<ops::InferredOutput> InferShape(ops::Descs inputs,
                                                                 const ops::Profile& who) const = 0;
  [[nodiscard]] virtual StatusOr<Plan> MakePlan(ops::Descs inputs, ops::Descs outputs,
                                                const ops::Profile& who) const = 0;
};

template <ops::TensorOperator Op>
class BoundOperator final : public OperatorInstance {
 public:
  explicit BoundOperator(typename Op::Params params) : params_(std::move(params)) {}

  [[nodiscard]] const ops::OpInfo& Info() const override { return Op::Info(); }
  [[nodiscard]] const ops::Signature& SignatureOf() const override {
    return Op::SignatureOf(params_);
  }
  [[nodiscard]] StatusOr<ops::InferredOutput> InferShape(ops::Descs inputs,
                                                         const ops::Profile& who) const override {
    return Op::InferShape(params_, inputs, who);
  }
  [[nodiscard]] StatusOr<Plan> MakePlan(ops::Descs inputs, ops::Descs outputs,
                                        const ops::Profile& who) const override {
    return Op::MakePlan(params_, inputs, outputs, who);
  }

 private:
  const typename Op::Params params_;
};

}  // namespace belay::atb_face
