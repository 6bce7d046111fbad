#include "ops/tensor_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/byte_range.h"
#include "base/checked_math.h"

namespace belay::ops {
namespace {

// Products on which tensors may be bf16.
constexpr FamilySet kWithBf16 = {Family::kAscend910B, Family::kAscend910_93};

Status CheckTensor(std::string_view name, const TensorDesc& desc) {
  if (desc.dims.rank == 0 || desc.dims.rank > Dims::kMaxRank) {
    return Refuse(Fault::kTensorDim, "{} has {} dimensions; allowed 1 to {}", name, desc.dims.rank,
                  Dims::kMaxRank);
  }
  for (std::size_t i = 0; i < desc.dims.rank; ++i) {
    if (desc.dims[i] >= 1) continue;
    return Refuse(Fault::kTensorSize, "dimension {} of {} is {}; allowed 1 and above", i, name,
                  desc.dims[i]);
  }
  if (ItemBytes(desc.dtype) == 0) {
    return Refuse(Fault::kTensorSize, "{} is of type {}; allowed types of whole bytes", name,
                  Name(desc.dtype));
  }
  const std::uint64_t bytes = TensorBytes(desc);
  if (bytes == 0) {
    return Refuse(Fault::kTensorSize,
                  "{} is {} {}, whose size in bytes overflows; allowed up to {} bytes", name,
                  Name(desc.dtype), Describe(desc.dims), kMaxTensorBytes);
  }
  if (bytes > kMaxTensorBytes) {
    return Refuse(Fault::kTensorSize, "{} is {} {}, which is {} bytes; allowed up to {}", name,
                  Name(desc.dtype), Describe(desc.dims), bytes, kMaxTensorBytes);
  }
  return {};
}

Status CheckEach(std::span<const std::string_view> names, Descs descs) {
  for (std::size_t i = 0; i < descs.size(); ++i) {
    BELAY_RETURN_IF_ERROR(CheckTensor(names[i], descs[i]));
  }
  return {};
}

void AppendTypes(std::string& text, std::span<const std::string_view> names,
                 std::span<const DataType> types) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", names[i], Name(types[i]));
  }
}

std::string DescribeRows(const Signature& signature, bool with_outputs) {
  std::string rows;
  for (const TypeRow& row : signature.rows) {
    const std::span<const DataType> types = row.types;
    std::string text;
    AppendTypes(text, signature.inputs, types);
    if (with_outputs) AppendTypes(text, signature.outputs, types.subspan(signature.inputs.size()));
    rows += (rows.empty() ? "" : " | ") + text;
  }
  return rows;
}

std::string DescribeGiven(const Signature& signature, Descs inputs, Descs outputs) {
  std::string text;
  const auto append = [&text](std::span<const std::string_view> names, Descs descs) {
    for (std::size_t i = 0; i < descs.size(); ++i) {
      text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", names[i], Name(descs[i].dtype),
                          Name(descs[i].format));
    }
  };
  append(signature.inputs, inputs);
  append(signature.outputs, outputs);
  return text;
}

// `with_outputs` is apart from the descs because an operator may have none.
Status CheckRows(const Signature& signature, Descs inputs, Descs outputs, bool with_outputs) {
  const auto fits = [](Descs descs, std::span<const DataType> types) {
    for (std::size_t i = 0; i < descs.size(); ++i) {
      if (descs[i].dtype != types[i] || descs[i].format != Format::kNd) return false;
    }
    return true;
  };
  for (const TypeRow& row : signature.rows) {
    const std::span<const DataType> types = row.types;
    if (fits(inputs, types) && fits(outputs, types.subspan(inputs.size()))) return {};
  }
  return Refuse(Fault::kTensorIniMatch, "the tensors are {}; allowed, all in format ND: {}",
                Described([&] { return DescribeGiven(signature, inputs, outputs); }),
                Described([&] { return DescribeRows(signature, with_outputs); }));
}

Status CheckBf16(std::span<const std::string_view> names, Descs descs, const Profile& who) {
  if (kWithBf16.Has(who.chip->family)) return {};
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (descs[i].dtype == DataType::kBf16) {
      return Refuse(Fault::kTensorDtype, "{} is bf16 on {} ({}); allowed float16 there, bf16 on {}",
                    names[i], who.chip->soc_name, ProductName(who.chip->family),
                    kWithBf16.Describe());
    }
  }
  return {};
}

}  // namespace

std::uint64_t ElementCount(const Dims& dims) noexcept {
  if (dims.rank == 0 || dims.rank > Dims::kMaxRank) return 0;
  std::uint64_t count = 1;
  for (const std::int64_t size : dims.span()) {
    if (size <= 0) return 0;
    const auto product = CheckedMultiply(count, static_cast<std::uint64_t>(size));
    if (!product) return 0;
    count = *product;
  }
  return count;
}

std::uint64_t TensorBytes(const TensorDesc& desc) noexcept {
  return CheckedMultiply(ElementCount(desc.dims), ItemBytes(desc.dtype)).value_or(0);
}

Status CheckInputs(const Signature& signature, Descs inputs, const Profile& who) {
  if (inputs.size() != signature.inputs.size()) {
    return NotAllowed(Fault::kInTensorNum, "the number of input tensors", inputs.size(),
                      Text("{}: {}", signature.inputs.size(), fmt::join(signature.inputs, ", ")));
  }
  BELAY_RETURN_IF_ERROR(CheckEach(signature.inputs, inputs));
  BELAY_RETURN_IF_ERROR(CheckRows(signature, inputs, {}, /*with_outputs=*/false));
  return CheckBf16(signature.inputs, inputs, who);
}

Status CheckTensors(const Signature& signature, Descs inputs, Descs outputs, const Profile& who) {
  if (inputs.size() != signature.inputs.size()) {
    return NotAllowed(Fault::kInTensorNum, "the number of input tensors", inputs.size(),
                      Text("{}: {}", signature.inputs.size(), fmt::join(signature.inputs, ", ")));
  }
  if (outputs.size() != signature.outputs.size()) {
    return NotAllowed(
        Fault::kInTensorNum, "the number of output tensors", outputs.size(),
        signature.outputs.empty()
            ? Text("0: {} is written in place", signature.inputs[0])
            : Text("{}: {}", signature.outputs.size(), fmt::join(signature.outputs, ", ")));
  }
  BELAY_RETURN_IF_ERROR(CheckEach(signature.inputs, inputs));
  BELAY_RETURN_IF_ERROR(CheckEach(signature.outputs, outputs));
  BELAY_RETURN_IF_ERROR(CheckRows(signature, inputs, outputs, /*with_outputs=*/true));
  BELAY_RETURN_IF_ERROR(CheckBf16(signature.inputs, inputs, who));
  return CheckBf16(signature.outputs, outputs, who);
}

Status CheckProduct(const OpInfo& info, std::string_view name, const Profile& who) {
  const Support* row = nullptr;
  for (const Support& candidate : info.support) {
    if (candidate.face == who.face && candidate.name == name) row = &candidate;
  }
  if (row != nullptr && row->products.Has(who.chip->family)) return {};
  return Refuse(Fault::kInvalidParam, "{} is not served on {} ({}); allowed on {}", name,
                who.chip->soc_name, ProductName(who.chip->family),
                row == nullptr ? std::string("no product") : row->products.Describe());
}

Status CheckNoOverlap(const Plan& plan, std::span<void* const> addresses) {
  const std::span<const Access> accesses = plan.accesses();
  const auto range = [&](const Access& access) {
    return ByteRange{reinterpret_cast<std::uintptr_t>(addresses[access.address]), access.extent};
  };
  for (const Access& written : accesses) {
    if (written.mode == AccessMode::kRead) continue;
    for (const Access& other : accesses) {
      if (other.address == written.address || !range(written).Overlaps(range(other))) continue;
      return Refuse(
          Fault::kTensorAddr,
          "{} at {:#x} ({} bytes) and {} at {:#x} ({} bytes) share bytes; allowed tensors "
          "apart from each other",
          written.argument, range(written).begin, written.extent, other.argument,
          range(other).begin, other.extent);
    }
  }
  return {};
}

}  // namespace belay::ops
