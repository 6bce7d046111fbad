#include "fuzz/atb_model.h"

#include <algorithm>
#include <cstring>

#include "fuzz/input.h"
#include "ops/index_add/index_add_reference.h"
#include "ops/repeat/repeat_reference.h"
#include "ops/set_value/set_value_reference.h"

namespace belay::fuzz {
namespace {

using Descs = std::span<const atb::TensorDesc>;
using Dimensions = std::vector<std::int64_t>;

constexpr std::uint64_t kLargestTensor = std::uint64_t{256} << 30;

std::size_t ItemBytes(std::int32_t type) {
  switch (type) {
    case ACL_FLOAT16:
    case ACL_BF16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
      return 4;
    case ACL_INT64:
      return 8;
    default:
      return 0;
  }
}

Dimensions DimensionsOf(const atb::TensorDesc& desc) {
  return {desc.shape.dims, desc.shape.dims + desc.shape.dimNum};
}

DataType HalfType(const atb::TensorDesc& desc) {
  return NumberOf(desc.dtype) == ACL_BF16 ? DataType::kBf16 : DataType::kFloat16;
}

// 0 for what no operation takes.
std::uint64_t TensorBytes(const atb::TensorDesc& desc) {
  std::uint64_t bytes = ItemBytes(NumberOf(desc.dtype));
  if (bytes == 0 || NumberOf(desc.format) != ACL_FORMAT_ND) return 0;
  if (desc.shape.dimNum == 0 || desc.shape.dimNum > atb::MAX_DIM) return 0;
  for (const std::int64_t size : DimensionsOf(desc)) {
    if (size <= 0 || static_cast<std::uint64_t>(size) > kLargestTensor / bytes) return 0;
    bytes *= static_cast<std::uint64_t>(size);
  }
  return bytes;
}

bool TypesFit(AtbKind kind, Descs inputs, Descs outputs) {
  const auto is = [](const atb::TensorDesc& desc, std::int32_t type) {
    return NumberOf(desc.dtype) == type;
  };
  const std::int32_t type = NumberOf(inputs[0].dtype);
  const bool half = type == ACL_FLOAT16 || type == ACL_BF16;
  if (!outputs.empty() && !is(outputs[0], type)) return false;
  switch (kind) {
    case AtbKind::kSetValue:
      return is(inputs[1], type);
    case AtbKind::kRepeat:
      return half;
    case AtbKind::kIndexAdd:
    case AtbKind::kIndexAddValid:
      return half && is(inputs[1], ACL_INT32) && is(inputs[2], type) &&
             is(inputs[3], kind == AtbKind::kIndexAdd ? type : std::int32_t{ACL_INT32});
  }
  return false;
}

ops::SetValueCase SetValueCaseOf(const AtbParams& params, Descs inputs) {
  return {DimensionsOf(inputs[0]), DimensionsOf(inputs[1]), params.starts, params.ends,
          params.strides};
}

Fault ShapeFault(const AtbParams& params, Descs inputs, Descs outputs, Behaviour behaviour) {
  switch (params.kind) {
    case AtbKind::kSetValue:
      return ops::ReferenceSetValueFault(SetValueCaseOf(params, inputs));
    case AtbKind::kRepeat: {
      const ops::RepeatCase data{DimensionsOf(inputs[0]), params.multiples};
      const Fault fault = ops::ReferenceRepeatShapeFault(data, behaviour);
      if (fault != Fault::kNone || outputs.empty()) return fault;
      const bool same = DimensionsOf(outputs[0]) == ExpectedShape(params, inputs);
      return same ? Fault::kNone : Fault::kTensorDim;
    }
    case AtbKind::kIndexAdd:
    case AtbKind::kIndexAddValid: {
      const ops::IndexAddShapes shapes{DimensionsOf(inputs[0]),
                                       DimensionsOf(inputs[1]),
                                       DimensionsOf(inputs[2]),
                                       DimensionsOf(inputs[3]),
                                       outputs.empty() ? Dimensions() : DimensionsOf(outputs[0]),
                                       params.axis};
      return params.kind == AtbKind::kIndexAdd
                 ? ops::ReferenceIndexAddFault(shapes, HalfType(inputs[0]))
                 : ops::ReferenceIndexAddValidFault(shapes, HalfType(inputs[0]));
    }
  }
  return Fault::kInternal;
}

std::span<std::byte> ExpectedOf(const AtbLaunch& launch, AtbMemory& memory, std::size_t i) {
  return memory.Expected(launch.addresses[i], TensorBytes(launch.descs[i]));
}

template <class T>
std::vector<T> ValuesOf(const AtbLaunch& launch, AtbMemory& memory, std::size_t i) {
  const std::span<const std::byte> bytes = ExpectedOf(launch, memory, i);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool ApplyIndexAdd(const AtbLaunch& launch, AtbMemory& memory) {
  const bool valid = launch.params.kind == AtbKind::kIndexAddValid;
  ops::IndexAddData data;
  data.type = HalfType(launch.descs[0]);
  data.var_dims = DimensionsOf(launch.descs[0]);
  const auto rank = static_cast<std::int64_t>(data.var_dims.size());
  data.axis = static_cast<std::size_t>((launch.params.axis + rank) % rank);
  data.indices = ValuesOf<std::int32_t>(launch, memory, 1);
  data.updates = ValuesOf<std::uint16_t>(launch, memory, 2);
  data.valid = data.indices.size();
  if (valid) {
    const std::int32_t count = ValuesOf<std::int32_t>(launch, memory, 3)[0];
    if (count < 0 || static_cast<std::size_t>(count) > data.indices.size()) return false;
    data.valid = static_cast<std::size_t>(count);
  } else {
    const std::uint16_t alpha = ValuesOf<std::uint16_t>(launch, memory, 3)[0];
    data.factor = static_cast<float>(ops::ReferenceHalfValue(data.type, alpha));
  }
  for (std::size_t k = 0; k < data.valid; ++k) {
    if (data.indices[k] < 0 || data.indices[k] >= data.var_dims[data.axis]) return false;
  }
  // Where another output is allowed, INDEX_ADD adds to the output and INDEX_ADD_VALID to var.
  const std::size_t target = valid ? 0 : 4;
  std::vector<std::uint16_t> values = ValuesOf<std::uint16_t>(launch, memory, target);
  ops::ReferenceIndexAdd(data, values);
  const std::span<std::byte> bytes = ExpectedOf(launch, memory, target);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return true;
}

}  // namespace

std::size_t InputCount(AtbKind kind) {
  return kind == AtbKind::kSetValue ? 2 : kind == AtbKind::kRepeat ? 1 : 4;
}
std::size_t OutputCount(AtbKind kind) { return kind == AtbKind::kSetValue ? 0 : 1; }

std::size_t SmallTensorBytes(const atb::TensorDesc& desc) {
  const std::uint64_t bytes = TensorBytes(desc);
  return bytes > (1U << 20) ? 0 : bytes;
}

bool MayAccept(const AtbParams& params, Descs inputs, Descs outputs, Behaviour behaviour) {
  if (inputs.size() != InputCount(params.kind)) return false;
  if (!outputs.empty() && outputs.size() != OutputCount(params.kind)) return false;
  for (const Descs descs : {inputs, outputs}) {
    for (const atb::TensorDesc& desc : descs) {
      const std::uint64_t bytes = TensorBytes(desc);
      if (bytes == 0 || bytes > kLargestTensor) return false;
    }
  }
  return TypesFit(params.kind, inputs, outputs) &&
         ShapeFault(params, inputs, outputs, behaviour) == Fault::kNone;
}

Dimensions ExpectedShape(const AtbParams& params, Descs inputs) {
  if (params.kind != AtbKind::kRepeat) return DimensionsOf(inputs[0]);
  const Dimensions x = DimensionsOf(inputs[0]);
  Dimensions shape = params.multiples;
  // Unsigned: what overflows is refused for that.
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::int64_t& size = shape[shape.size() - x.size() + i];
    size = static_cast<std::int64_t>(static_cast<std::uint64_t>(size) *
                                     static_cast<std::uint64_t>(x[i]));
  }
  return shape;
}

void AtbMemory::Add(void* begin, std::size_t size) {
  auto* const bytes = static_cast<std::byte*>(begin);
  blocks_.push_back({bytes, {bytes, bytes + size}});
}

std::span<std::byte> AtbMemory::Expected(const void* address, std::size_t size) {
  for (Block& block : blocks_) {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(block.begin);
    if (offset < block.expected.size() && size <= block.expected.size() - offset) {
      return std::span(block.expected).subspan(offset, size);
    }
  }
  constexpr bool kIsInMemoryItMayUse = false;
  FUZZ_CHECK(kIsInMemoryItMayUse);
  return {};
}

bool AtbMemory::MatchesExpected() const {
  return std::ranges::all_of(blocks_, [](const Block& block) {
    return std::equal(block.expected.begin(), block.expected.end(), block.begin);
  });
}

bool Apply(const AtbLaunch& launch, AtbMemory& memory) {
  switch (launch.params.kind) {
    case AtbKind::kSetValue: {
      std::vector<std::byte> dst = ValuesOf<std::byte>(launch, memory, 0);
      ops::ReferenceSetValue(SetValueCaseOf(launch.params, launch.descs),
                             ItemBytes(NumberOf(launch.descs[0].dtype)), dst,
                             ValuesOf<std::byte>(launch, memory, 1));
      std::ranges::copy(dst, ExpectedOf(launch, memory, 0).begin());
      return true;
    }
    case AtbKind::kRepeat: {
      const ops::RepeatCase data{DimensionsOf(launch.descs[0]), launch.params.multiples};
      const std::vector<std::byte> y = ops::ReferenceRepeat(
          data, ItemBytes(NumberOf(launch.descs[0].dtype)), ValuesOf<std::byte>(launch, memory, 0));
      std::ranges::copy(y, ExpectedOf(launch, memory, 1).begin());
      return true;
    }
    case AtbKind::kIndexAdd:
    case AtbKind::kIndexAddValid:
      return ApplyIndexAdd(launch, memory);
  }
  return false;
}

}  // namespace belay::fuzz
