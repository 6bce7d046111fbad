#include "ops/index_add/index_add.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/half.h"
#include "kernels/index_scan.h"
#include "kernels/saturate.h"
#include "ops/index_add/index_add_run.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document IndexAddOperation";
constexpr std::string_view kParameters = "IndexAddOperation, parameters";
constexpr std::string_view kTensors = "IndexAddOperation, inputs and outputs of INDEX_ADD";
constexpr std::string_view kValidTensors =
    "IndexAddOperation, inputs and outputs of INDEX_ADD_VALID";

constexpr std::string_view kAclnn = "aclnnIndexAdd, parameters";
constexpr std::string_view kAclnnV2 = "aclnnIndexAddV2, parameters";

constexpr std::string_view kIndexAddName = "IndexAddOperation INDEX_ADD";
constexpr std::string_view kIndexAddValidName = "IndexAddOperation INDEX_ADD_VALID";

constexpr FamilySet kAclnnProducts = {Family::kAscend910B, Family::kAscend910_93,
                                      Family::kAscend950, Family::kAscend350};
constexpr std::array kSupport = {
    Support{Face::kAtb,
            kIndexAddName,
            {Family::kAscend910B, Family::kAscend910_93, Family::kAscend310P, Family::kAscend910}},
    Support{Face::kAtb, kIndexAddValidName, {Family::kAscend910B, Family::kAscend910_93}},
    Support{Face::kAclnn, "aclnnIndexAdd", kAclnnProducts},
    Support{Face::kAclnn, "aclnnIndexAddV2", kAclnnProducts},
};

constexpr std::array kRules = {
    Rule{"BELAY-IndexAdd-indexType-0001", "indexType is INDEX_ADD or INDEX_ADD_VALID.",
         kParameters},
    Rule{"BELAY-IndexAdd-product-0002", "The product is one that serves the type.", kParameters},
    Rule{"BELAY-IndexAdd-axis-0003", "axis is 0 with INDEX_ADD_VALID.", kParameters},
    Rule{"BELAY-IndexAdd-axis-0004", "axis is a dimension of var, counted from either end.",
         kParameters},
    Rule{"BELAY-IndexAdd-indices-0005", "indices has one dimension.", kTensors},
    Rule{"BELAY-IndexAdd-updates-0006",
         "updates has the shape of var, but the length of indices along axis.", kTensors},
    Rule{"BELAY-IndexAdd-alpha-0007", "alpha has one element.", kTensors},
    Rule{"BELAY-IndexAdd-var-0008", "var has two dimensions with INDEX_ADD_VALID.", kValidTensors},
    Rule{"BELAY-IndexAdd-var-0009", "Dimension 1 of var is at most 8192 with INDEX_ADD_VALID.",
         kValidTensors},
    Rule{"BELAY-IndexAdd-validIndicesNum-0010", "validIndicesNum has one element.", kValidTensors},
    Rule{"BELAY-IndexAdd-output-0011", "output has the shape of var.", kTensors},
    Rule{"BELAY-IndexAdd-output-0012", "output is the same tensor as var.", kTensors},
    Rule{"BELAY-IndexAdd-var-0013", "var shares no bytes with the other inputs.", kTensors},
    Rule{"BELAY-IndexAdd-validIndicesNum-0014", "validIndicesNum is 0 to the number of indices.",
         kValidTensors},
    Rule{"BELAY-IndexAdd-indices-0015", "Each index that takes part is a position along axis.",
         kTensors},
    Rule{"BELAY-IndexAdd-self-0016", "self is of a type that is added.", kAclnn},
    Rule{"BELAY-IndexAdd-index-0017", "index is of type int32 or int64.", kAclnn},
    Rule{"BELAY-IndexAdd-source-0018", "source and out are of the type of self.", kAclnn},
    Rule{"BELAY-IndexAdd-self-0019", "No tensor has more than 8 dimensions, index at most one.",
         kAclnn},
    Rule{"BELAY-IndexAdd-dim-0020", "dim is a dimension of self, counted from either end.", kAclnn},
    Rule{"BELAY-IndexAdd-source-0021",
         "source has the shape of self, but the length of index along dim.", kAclnn},
    Rule{"BELAY-IndexAdd-out-0022", "out has the shape of self.", kAclnn},
    Rule{"BELAY-IndexAdd-alpha-0023", "alpha is a number.", kAclnn},
    Rule{"BELAY-IndexAdd-alpha-0024",
         "alpha loses no fraction and no imaginary part as a value of self's type.", kAclnnV2},
    Rule{"BELAY-IndexAdd-mode-0025",
         "With mode 0 self has two dimensions, dim is the first, and the type is float, float16, "
         "bf16, int32 or int16.",
         kAclnnV2},
    Rule{"BELAY-IndexAdd-out-0026", "No two elements of out share memory.", kAclnn},
    Rule{"BELAY-IndexAdd-out-0027",
         "out shares no element with an input that is not the same view.", kAclnn},
    Rule{"BELAY-IndexAdd-index-0028", "Each index is a position along dim.", kAclnn},
};

constexpr std::array<std::string_view, 4> kInputs = {"var", "indices", "updates", "alpha"};
constexpr std::array<std::string_view, 4> kValidInputs = {"var", "indices", "updates",
                                                          "validIndicesNum"};
constexpr std::array<std::string_view, 1> kOutputs = {"output"};

constexpr TypeRow Row(DataType type, DataType scalar) {
  return {{type, DataType::kInt32, type, scalar, type}};
}
constexpr std::array kRows = {Row(DataType::kFloat16, DataType::kFloat16),
                              Row(DataType::kBf16, DataType::kBf16)};
constexpr std::array kValidRows = {Row(DataType::kFloat16, DataType::kInt32),
                                   Row(DataType::kBf16, DataType::kInt32)};
constexpr Signature kSignature{kIndexAddName, kInputs, kOutputs, kRows};
constexpr Signature kValidSignature{kIndexAddValidName, kValidInputs, kOutputs, kValidRows};

constexpr std::int64_t kMaxValidWidth = 8192;

// var is [outer, rows, width], updates [outer, count, width], indices [count].
struct Work {
  kernels::HalfFormat format;
  bool valid;         // INDEX_ADD_VALID
  bool other_output;  // output may be another tensor than var
  std::uint64_t axis;
  std::uint64_t outer;
  std::uint64_t rows;
  std::uint64_t width;
  std::uint64_t count;
};

bool IsValidType(const IndexAdd::Params& params) {
  return params.index_type == IndexAdd::kIndexAddValid;
}

Status CheckRank(Fault fault, std::string_view name, const Dims& dims, std::uint64_t rank) {
  if (dims.rank == rank) return {};
  return Refuse(fault, "{} has {} dimensions; allowed {}", name, dims.rank, rank);
}

Status CheckDim(std::string_view name, const Dims& dims, std::size_t i, std::int64_t allowed,
                std::string_view reason) {
  if (dims[i] == allowed) return {};
  return Refuse(Fault::kTensorDim, "dimension {} of {} is {}; allowed {}{}", i, name, dims[i],
                allowed, reason);
}

std::size_t NormalAxis(std::int64_t axis, std::uint64_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

Status CheckAxis(std::int64_t axis, std::uint64_t rank) {
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis >= -limit && axis < limit) return {};
  return Refuse(Fault::kInvalidParam, "axis is {}; allowed {} to {} (var has {} dimensions)", axis,
                -limit, limit - 1, rank);
}

Status CheckIndexAdd(const IndexAdd::Params& params, Descs inputs) {
  const Dims& var = inputs[IndexAdd::kVar].dims;
  const Dims& indices = inputs[IndexAdd::kIndices].dims;
  const Dims& updates = inputs[IndexAdd::kUpdates].dims;
  const Dims& alpha = inputs[IndexAdd::kScalar].dims;
  BELAY_RETURN_IF_ERROR(CheckAxis(params.axis, var.rank));
  BELAY_RETURN_IF_ERROR(CheckRank(Fault::kTensorSize, "indices", indices, 1));
  BELAY_RETURN_IF_ERROR(CheckRank(Fault::kTensorSize, "updates", updates, var.rank));
  const std::size_t axis = NormalAxis(params.axis, var.rank);
  for (std::size_t i = 0; i < var.rank; ++i) {
    BELAY_RETURN_IF_ERROR(i == axis
                              ? CheckDim("updates", updates, i, indices[0], ", as indices has")
                              : CheckDim("updates", updates, i, var[i], ", as var has"));
  }
  BELAY_RETURN_IF_ERROR(CheckRank(Fault::kTensorSize, "alpha", alpha, 1));
  return CheckDim("alpha", alpha, 0, 1, "");
}

Status CheckIndexAddValid(Descs inputs) {
  const Dims& var = inputs[IndexAdd::kVar].dims;
  const Dims& indices = inputs[IndexAdd::kIndices].dims;
  const Dims& updates = inputs[IndexAdd::kUpdates].dims;
  const Dims& valid = inputs[IndexAdd::kScalar].dims;
  // Published so: the kind of refusal depends on the type.
  const bool bf16 = inputs[IndexAdd::kVar].dtype == DataType::kBf16;
  const Fault rank_fault = bf16 ? Fault::kTensorDim : Fault::kTensorSize;
  BELAY_RETURN_IF_ERROR(CheckRank(rank_fault, "var", var, 2));
  if (var[1] > kMaxValidWidth) {
    return Refuse(Fault::kTensorDim, "dimension 1 of var is {}; allowed 1 to {}", var[1],
                  kMaxValidWidth);
  }
  BELAY_RETURN_IF_ERROR(CheckRank(rank_fault, "indices", indices, 1));
  BELAY_RETURN_IF_ERROR(CheckRank(rank_fault, "updates", updates, 2));
  BELAY_RETURN_IF_ERROR(CheckDim("updates", updates, 0, indices[0], ", as indices has"));
  BELAY_RETURN_IF_ERROR(CheckDim("updates", updates, 1, var[1], ", as var has"));
  BELAY_RETURN_IF_ERROR(CheckRank(rank_fault, "validIndicesNum", valid, 1));
  return CheckDim("validIndicesNum", valid, 0, 1, "");
}

Status CheckOutput(const Dims& output, const Dims& var) {
  BELAY_RETURN_IF_ERROR(CheckRank(Fault::kTensorDimNum, "output", output, var.rank));
  for (std::size_t i = 0; i < var.rank; ++i) {
    BELAY_RETURN_IF_ERROR(CheckDim("output", output, i, var[i], ", as var has"));
  }
  return {};
}

Work MakeWork(const IndexAdd::Params& params, Descs inputs, const Profile& who) {
  const Dims& var = inputs[IndexAdd::kVar].dims;
  Work work{};
  work.format = inputs[IndexAdd::kVar].dtype == DataType::kBf16 ? kernels::HalfFormat::kBf16
                                                                : kernels::HalfFormat::kFp16;
  work.valid = IsValidType(params);
  work.other_output = FollowsRelease(who.behaviour, BehaviourPoint::kIndexAddOtherOutput);
  work.axis = NormalAxis(params.axis, var.rank);
  work.outer = 1;
  work.width = 1;
  for (std::size_t i = 0; i < var.rank; ++i) {
    const auto size = static_cast<std::uint64_t>(var[i]);
    if (i < work.axis) work.outer *= size;
    if (i == work.axis) work.rows = size;
    if (i > work.axis) work.width *= size;
  }
  work.count = static_cast<std::uint64_t>(inputs[IndexAdd::kIndices].dims[0]);
  return work;
}

// What the released kernel asks for: float32 sums of all of var. The sums here need no memory, but
// a program that gives too little of it finds out.
std::uint64_t WorkspaceBytes(const Work& work) {
  if (!work.valid) return 0;
  const std::uint64_t sums_bytes = work.rows * work.width * sizeof(float);
  return (sums_bytes + 511) / 512 * 512;
}

// The tensor that is written to; where output is another one, the released ways differ.
IndexAdd::Address WrittenArgument(const Work& work) {
  return work.valid ? IndexAdd::kVar : IndexAdd::kOutput;
}

template <class T>
T Load(const void* values, std::uint64_t i = 0) noexcept {
  T value{};
  std::memcpy(&value, static_cast<const std::byte*>(values) + i * sizeof(T), sizeof(T));
  return value;
}

Status CheckAddresses(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  const auto output = reinterpret_cast<std::uintptr_t>(addresses[IndexAdd::kOutput]);
  const auto var = reinterpret_cast<std::uintptr_t>(addresses[IndexAdd::kVar]);
  if (output != var && !work.other_output) {
    return Refuse(Fault::kTensorAddr,
                  "output is at {:#x}; allowed {:#x}, the address of var: they are the same tensor",
                  output, var);
  }
  // One of var and output is not worked on. Where it is another tensor than the other, it shares no
  // bytes with anything either.
  const IndexAdd::Address idle = work.valid ? IndexAdd::kOutput : IndexAdd::kVar;
  Plan apart;
  for (Access access : plan.accesses()) {
    if (access.address == idle) {
      if (output == var) continue;
      access.mode = AccessMode::kWrite;
      access.size = access.extent;
    }
    apart.AddAccess(access);
  }
  return CheckNoOverlap(apart, addresses);
}

// How many indices take part.
std::uint64_t CountOf(const Work& work, std::span<void* const> addresses) {
  if (!work.valid) return work.count;
  return static_cast<std::uint64_t>(Load<std::int32_t>(addresses[IndexAdd::kScalar]));
}

Status Inspect(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  if (work.valid) {
    const auto valid = Load<std::int32_t>(addresses[IndexAdd::kScalar]);
    if (valid < 0 || static_cast<std::uint64_t>(valid) > work.count) {
      return Refuse(Fault::kTaskException,
                    "validIndicesNum[0] is {}; allowed 0..{} (dimension 0 of indices)", valid,
                    work.count);
    }
  }
  const std::uint64_t count = CountOf(work, addresses);
  const auto* const indices = static_cast<const std::byte*>(addresses[IndexAdd::kIndices]);
  const auto limit = static_cast<std::int32_t>(
      std::min<std::uint64_t>(work.rows - 1, std::numeric_limits<std::int32_t>::max()));
  if (kernels::AllWithin(indices, count, limit)) return {};
  std::uint64_t k = 0;
  std::int32_t index = 0;
  do index = Load<std::int32_t>(indices, k++);
  while (index >= 0 && index <= limit);
  return Refuse(Fault::kTaskException, "indices[{}] is {}; allowed 0..{} (dimension {} of var)",
                k - 1, index, work.rows - 1, work.axis);
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  IndexAddJob job;
  job.format = work.format;
  if (!work.valid) {
    job.factor =
        kernels::HalfToFloat(work.format, Load<std::uint16_t>(addresses[IndexAdd::kScalar]));
  }
  job.outer = work.outer;
  job.rows = work.rows;
  job.width = work.width;
  job.stride = work.count;
  job.count = CountOf(work, addresses);
  job.indices = static_cast<const std::byte*>(addresses[IndexAdd::kIndices]);
  job.updates = static_cast<const std::byte*>(addresses[IndexAdd::kUpdates]);
  job.target = static_cast<std::byte*>(addresses[WrittenArgument(work)]);
  RunIndexAdd(job);
  if (plan.overflow == FloatOverflow::kSaturate) {
    kernels::SaturateRows(work.format,
                          {.rows = job.rows,
                           .width = job.width,
                           .count = job.count,
                           .indices = job.indices,
                           .target = job.target},
                          job.outer);
  }
  return {};
}

}  // namespace

const OpInfo& IndexAdd::Info() {
  static constexpr OpInfo kInfo{"IndexAddOperation", kDocument, kSupport, kRules};
  return kInfo;
}

Status IndexAdd::CheckParams(const Params& params, const Profile& who) {
  if (params.index_type != kIndexAdd && params.index_type != kIndexAddValid) {
    return NotAllowed(Fault::kInvalidParam, "indexType", params.index_type,
                      "1 (INDEX_ADD) and 2 (INDEX_ADD_VALID)");
  }
  BELAY_RETURN_IF_ERROR(CheckProduct(Info(), SignatureOf(params).name, who));
  if (IsValidType(params) && params.axis != 0) {
    return NotAllowed(Fault::kInvalidParam, "axis", params.axis, "0 with INDEX_ADD_VALID");
  }
  return {};
}

const Signature& IndexAdd::SignatureOf(const Params& params) {
  return IsValidType(params) ? kValidSignature : kSignature;
}

StatusOr<InferredOutput> IndexAdd::InferShape(const Params& params, Descs inputs,
                                              const Profile& /*who*/) {
  Status status = IsValidType(params) ? CheckIndexAddValid(inputs) : CheckIndexAdd(params, inputs);
  if (!status.ok()) return Unexpected(std::move(status));
  return InferredOutput{true, inputs[kVar]};
}

StatusOr<Plan> IndexAdd::MakePlan(const Params& params, Descs inputs, Descs outputs,
                                  const Profile& who) {
  const StatusOr<InferredOutput> inferred = InferShape(params, inputs, who);
  if (!inferred) return Unexpected(inferred.error());
  if (Status status = CheckOutput(outputs[0].dims, inferred->desc.dims); !status.ok()) {
    return Unexpected(std::move(status));
  }

  const Signature& signature = SignatureOf(params);
  Plan plan;
  const auto& work = plan.EmplaceParameters<Work>(MakeWork(params, inputs, who));
  plan.operation = signature.name.data();
  // Which of them, the number of indices that take part says.
  plan.kernel = "RowAdd, DenseAdd, SliceGroupAdd";
  plan.check_addresses = CheckAddresses;
  plan.inspect = Inspect;
  plan.run = Run;
  plan.workspace_bytes = WorkspaceBytes(work);
  const Address written = WrittenArgument(work);
  const auto add = [&](Address address, std::string_view name, const TensorDesc& desc) {
    // var and output are one tensor: one is worked on, of the other only the address is looked at.
    const bool alias = address != written && (address == kVar || address == kOutput);
    const std::uint64_t bytes = TensorBytes(desc);
    plan.AddAccess({name.data(), address,
                    address == written ? AccessMode::kReadWrite : AccessMode::kRead, 0,
                    alias ? 0 : bytes, bytes});
  };
  for (const Address address : {kVar, kIndices, kUpdates, kScalar}) {
    add(address, signature.inputs[address], inputs[address]);
  }
  add(kOutput, signature.outputs[0], outputs[0]);
  // Of var no more is read and written than updates has rows for.
  const std::uint64_t updates_bytes = TensorBytes(inputs[kUpdates]);
  plan.traffic_bytes = TensorBytes(inputs[kIndices]) + updates_bytes +
                       2 * std::min(updates_bytes, TensorBytes(inputs[kVar]));
  return plan;
}

static_assert(TensorOperator<IndexAdd>);

}  // namespace belay::ops
