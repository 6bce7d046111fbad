// The form of an operator over tensors. What all of them have in common (counts, ranks, sizes, the
// table of types and formats, products) is checked here, in its published order; an operator adds
// its own rules, its shape inference and its plan.
//
// Source: the operator documents; order and kinds of refusal as published for InferShape and Setup.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_desc.h"
#include "ops/operator.h"

namespace belay::ops {

inline constexpr std::size_t kMaxTensors = 6;  // inputs and outputs of one operator

/// One allowed combination of element types: inputs in order, then outputs. The format is always
/// ND.
struct TypeRow {
  std::array<DataType, kMaxTensors> types;
};

/// The tensors of an operator and the combinations of types it takes.
struct Signature {
  std::string_view name;                     // "IndexAddOperation INDEX_ADD", in messages
  std::span<const std::string_view> inputs;  // the documents' names, in the API's order
  std::span<const std::string_view> outputs;
  std::span<const TypeRow> rows;
};

using Descs = std::span<const TensorDesc>;

/// At most one output exists so far.
struct InferredOutput {
  bool exists = false;
  TensorDesc desc;
};

template <class Op>
concept TensorOperator = requires(const typename Op::Params& params, Descs inputs, Descs outputs,
                                  const Profile& who) {
  { Op::Info() } -> std::same_as<const OpInfo&>;
  { Op::CheckParams(params, who) } -> std::same_as<Status>;
  { Op::SignatureOf(params) } -> std::same_as<const Signature&>;
  // The operator's own rules on inputs that passed CheckInputs, then the shape.
  { Op::InferShape(params, inputs, who) } -> std::same_as<StatusOr<InferredOutput>>;
  // The same rules, those on the outputs, then the plan. Addresses are numbered inputs first,
  // then outputs, then the workspace.
  { Op::MakePlan(params, inputs, outputs, who) } -> std::same_as<StatusOr<Plan>>;
};

/// Bytes of a tensor; 0 for a type without whole bytes, a dimension below 1, or an overflow.
BELAY_EXPORT std::uint64_t TensorBytes(const TensorDesc& desc) noexcept;
/// Elements of a shape; 0 for rank 0, more than 8 dimensions, a dimension below 1, or an overflow.
BELAY_EXPORT std::uint64_t ElementCount(const Dims& dims) noexcept;

/// Largest tensor in bytes that is accepted.
inline constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{256} << 30;

/// kInTensorNum; per input kTensorDim for a rank outside 1..8 and kTensorSize; kTensorIniMatch when
/// no row takes the inputs; kTensorDtype for bf16 on a product without it.
BELAY_EXPORT Status CheckInputs(const Signature& signature, Descs inputs, const Profile& who);
/// The same for inputs and outputs together.
BELAY_EXPORT Status CheckTensors(const Signature& signature, Descs inputs, Descs outputs,
                                 const Profile& who);

/// kInvalidParam when the face does not serve the operator on the imitated product.
BELAY_EXPORT Status CheckProduct(const OpInfo& info, std::string_view name, const Profile& who);

/// For Plan::check_addresses: kTensorAddr when a written argument shares bytes with any other.
Status CheckNoOverlap(const Plan& plan, std::span<void* const> addresses);

}  // namespace belay::ops
