// Takes an operator over tensors through its life as a face does: creation, InferShape, Setup,
// Execute. For the tests beside the operators.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/plan.h"
#include "base/status.h"
#include "ops/tensor_operator.h"

namespace belay::ops::testing {

using Bytes = std::vector<std::byte>;

inline Profile Who(Behaviour behaviour, const char* soc = "Ascend910B4") {
  return {Face::kAtb, FindChip(soc), behaviour};
}

inline TensorDesc Desc(DataType type, const std::vector<std::int64_t>& dims,
                       Format format = Format::kNd) {
  TensorDesc desc{type, format, {}};
  desc.dims.rank = dims.size();
  for (std::size_t i = 0; i < dims.size() && i < Dims::kMaxRank; ++i) desc.dims.sizes[i] = dims[i];
  return desc;
}

/// Tensor memory between guard bytes.
class Memory {
 public:
  explicit Memory(const Bytes& content) : bytes_(content.size() + 2 * kGuard, kMark) {
    if (!content.empty()) std::memcpy(data(), content.data(), content.size());
  }
  explicit Memory(std::size_t size) : Memory(Bytes(size, std::byte{0x5A})) {}

  [[nodiscard]] std::byte* data() { return bytes_.data() + kGuard; }
  /// The content; empty when a guard byte has changed.
  [[nodiscard]] Bytes Content() const {
    for (std::size_t i = 0; i < kGuard; ++i) {
      if (bytes_[i] != kMark || bytes_[bytes_.size() - 1 - i] != kMark) return {};
    }
    return {bytes_.begin() + kGuard, bytes_.end() - kGuard};
  }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr std::byte kMark{0xA5};
  Bytes bytes_;
};

template <class T>
Bytes ToBytes(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <class T>
std::vector<T> FromBytes(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <TensorOperator Op>
struct Life {
  typename Op::Params params;
  Profile who;

  [[nodiscard]] Status Create() const { return Op::CheckParams(params, who); }

  Status InferShape(const std::vector<TensorDesc>& inputs, InferredOutput* output = nullptr) const {
    BELAY_RETURN_IF_ERROR(CheckInputs(Op::SignatureOf(params), inputs, who));
    const StatusOr<InferredOutput> inferred = Op::InferShape(params, inputs, who);
    if (!inferred) return inferred.error();
    if (output != nullptr) *output = *inferred;
    return {};
  }

  Status Setup(const std::vector<TensorDesc>& inputs, const std::vector<TensorDesc>& outputs,
               Plan* plan = nullptr) const {
    BELAY_RETURN_IF_ERROR(CheckTensors(Op::SignatureOf(params), inputs, outputs, who));
    const StatusOr<Plan> made = Op::MakePlan(params, inputs, outputs, who);
    if (!made) return made.error();
    if (plan != nullptr) *plan = *made;
    return {};
  }
};

inline Status Execute(const Plan& plan, std::initializer_list<void*> addresses) {
  Launch launch{plan, {}};
  std::size_t i = 0;
  for (void* address : addresses) launch.addresses[i++] = address;
  if (plan.check_addresses != nullptr) {
    BELAY_RETURN_IF_ERROR(plan.check_addresses(plan, launch.addresses));
  }
  return launch.Run();
}

/// Every refusal says what was seen and what is allowed.
inline void ExpectFault(const Status& status, Fault fault) {
  EXPECT_EQ(status.fault(), fault) << status.message();
  if (fault == Fault::kNone) return;
  EXPECT_NE(status.message().find("; allowed"), std::string::npos) << status.message();
}

inline void ExpectFault(const Status& status, Fault fault, const std::string& message) {
  EXPECT_EQ(status.fault(), fault);
  EXPECT_EQ(status.message(), message);
}

}  // namespace belay::ops::testing
