// Tensor descriptions. Their rules live in runtime/tensor_description.cc.
#include "runtime/tensor_description.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl_call.h"

using belay::DataType;
using belay::Fault;
using belay::Format;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::StatusOr;
using belay::acl::AclCall;
using belay::acl::AclValue;
using belay::acl::Machine;
using belay::runtime::DescribeBadHandle;
using belay::runtime::DimRange;
using belay::runtime::HandleKind;
using belay::runtime::Ref;
using belay::runtime::SharedTensorDescription;
using belay::runtime::TensorDescription;

namespace {

constexpr const char* kSource = "acl API, tensor descriptions";

Status BadDesc(const char* argument, const aclTensorDesc* desc) {
  if (desc == nullptr) return NullPointer(argument);
  return NotAllowed(Fault::kInvalidParam, argument,
                    DescribeBadHandle(desc, HandleKind::kTensorDesc), "a live tensor description");
}

// Runs `body(description)` under the description's lock.
template <class Body>
Status With(Machine& machine, const aclTensorDesc* desc, Body body, const char* argument = "desc") {
  const Ref<SharedTensorDescription> shared = machine.tensor_descriptions().Acquire(desc);
  if (!shared) return BadDesc(argument, desc);
  const std::lock_guard lock(shared->mutex);
  return body(shared->description);
}

template <class Body>
aclError Change(const char* function, aclTensorDesc* desc, Body body) {
  return AclCall({function, kSource}, [&](Machine& machine) { return With(machine, desc, body); });
}

// `body(description)` gives a StatusOr of the value.
template <class Value, class Body>
Value Get(const char* function, const aclTensorDesc* desc, Value refused, Body body) {
  return AclValue<Value>({function, kSource}, refused,
                         [&](Machine& machine, Value& value) -> Status {
                           return With(machine, desc, [&](TensorDescription& description) {
                             const StatusOr<Value> got = body(description);
                             if (!got) return got.error();
                             value = *got;
                             return Status();
                           });
                         });
}

StatusOr<std::vector<int64_t>> ReadDims(int numDims, const int64_t* dims) {
  if (numDims < 0 || numDims > belay::runtime::kMaxDims) {
    return belay::Unexpected(NotAllowed(Fault::kInvalidParam, "numDims", numDims, "0 to 128"));
  }
  if (numDims > 0 && dims == nullptr) return belay::Unexpected(NullPointer("dims"));
  std::vector<int64_t> read(dims, dims + numDims);
  if (Status status = belay::runtime::CheckDims(read); !status.ok()) {
    return belay::Unexpected(std::move(status));
  }
  return read;
}

std::vector<DimRange> ReadRanges(size_t count, int64_t (*ranges)[2]) {
  std::vector<DimRange> read;
  for (size_t i = 0; i < count; ++i) read.push_back({ranges[i][0], ranges[i][1]});
  return read;
}

StatusOr<int64_t> DimOf(const TensorDescription& description, size_t index) {
  if (index < description.dims.size()) return description.dims[index];
  return belay::Unexpected(Refuse(Fault::kInvalidParam,
                                  "index is {}; allowed below {}, the number of dimensions", index,
                                  description.dims.size()));
}

aclTensorDesc* Publish(Machine& machine, TensorDescription description) {
  return static_cast<aclTensorDesc*>(
      machine.tensor_descriptions().Create(std::move(description)).handle());
}

aclError SetOriginFormat(const char* function, aclTensorDesc* desc, aclFormat format) {
  return Change(function, desc, [&](TensorDescription& description) -> Status {
    BELAY_RETURN_IF_ERROR(belay::runtime::CheckFormat("format", static_cast<Format>(format)));
    description.format = static_cast<Format>(format);
    return {};
  });
}

aclError SetStorageFormat(const char* function, aclTensorDesc* desc, aclFormat format) {
  return Change(function, desc, [&](TensorDescription& description) -> Status {
    BELAY_RETURN_IF_ERROR(belay::runtime::CheckFormat("format", static_cast<Format>(format)));
    description.storage_format = static_cast<Format>(format);
    return {};
  });
}

aclError SetStorageShape(const char* function, aclTensorDesc* desc, int numDims,
                         const int64_t* dims) {
  return Change(function, desc, [&](TensorDescription& description) -> Status {
    StatusOr<std::vector<int64_t>> read = ReadDims(numDims, dims);
    if (!read) return read.error();
    description.storage_dims = std::move(*read);
    return {};
  });
}

}  // namespace

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  return AclValue<aclTensorDesc*>(
      {"aclCreateTensorDesc", kSource}, nullptr,
      [&](Machine& machine, aclTensorDesc*& desc) -> Status {
        TensorDescription description;
        description.dtype = static_cast<DataType>(dataType);
        description.format = static_cast<Format>(format);
        BELAY_RETURN_IF_ERROR(belay::runtime::CheckType(description.dtype));
        BELAY_RETURN_IF_ERROR(belay::runtime::CheckFormat("format", description.format));
        StatusOr<std::vector<int64_t>> read = ReadDims(numDims, dims);
        if (!read) return read.error();
        description.dims = std::move(*read);
        desc = Publish(machine, std::move(description));
        return {};
      });
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  (void)AclCall({"aclDestroyTensorDesc", kSource}, [&](Machine& machine) -> Status {
    return machine.tensor_descriptions().Retire(desc) ? Status() : BadDesc("desc", desc);
  });
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  return Change("aclSetTensorShapeRange", desc, [&](TensorDescription& description) -> Status {
    if (dimsRange == nullptr) return NullPointer("dimsRange");
    // As many as there are dimensions, before any is read.
    if (!description.HasUnknownRank() && dimsCount != description.dims.size()) {
      return Refuse(Fault::kInvalidParam,
                    "dimsCount is {}; allowed {}, the number of dimensions of the tensor",
                    dimsCount, description.dims.size());
    }
    std::vector<DimRange> ranges = ReadRanges(dimsCount, dimsRange);
    BELAY_RETURN_IF_ERROR(belay::runtime::CheckShapeRanges(ranges));
    description.shape_ranges = std::move(ranges);
    return {};
  });
}

aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]) {
  return Change("aclSetTensorValueRange", desc, [&](TensorDescription& description) -> Status {
    if (valueRange == nullptr) return NullPointer("valueRange");
    std::vector<DimRange> ranges = ReadRanges(valueCount, valueRange);
    BELAY_RETURN_IF_ERROR(belay::runtime::CheckValueRanges(ranges));
    description.value_ranges = std::move(ranges);
    return {};
  });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return Get<aclDataType>("aclGetTensorDescType", desc, ACL_DT_UNDEFINED,
                          [](const TensorDescription& description) {
                            return static_cast<aclDataType>(description.dtype);
                          });
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return Get<aclFormat>("aclGetTensorDescFormat", desc, ACL_FORMAT_UNDEFINED,
                        [](const TensorDescription& description) {
                          return static_cast<aclFormat>(description.format);
                        });
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return Get<size_t>("aclGetTensorDescSize", desc, 0, belay::runtime::SizeInBytes);
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return Get<size_t>("aclGetTensorDescElementCount", desc, 0, belay::runtime::ElementCount);
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return Get<size_t>("aclGetTensorDescNumDims", desc, 0, [](const TensorDescription& description) {
    return description.HasUnknownRank() ? static_cast<size_t>(ACL_UNKNOWN_RANK)
                                        : description.dims.size();
  });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  return Get<int64_t>("aclGetTensorDescDim", desc, -1, [&](const TensorDescription& description) {
    return DimOf(description, index);
  });
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  return AclCall({"aclGetTensorDescDimV2", kSource}, [&](Machine& machine) {
    return With(machine, desc, [&](const TensorDescription& description) -> Status {
      if (dimSize == nullptr) return NullPointer("dimSize");
      const StatusOr<int64_t> dim = DimOf(description, index);
      if (!dim) return dim.error();
      *dimSize = *dim;
      return {};
    });
  });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  return AclCall({"aclGetTensorDescDimRange", kSource}, [&](Machine& machine) {
    return With(machine, desc, [&](const TensorDescription& description) -> Status {
      if (dimRange == nullptr) return NullPointer("dimRange");
      if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM) {
        return NotAllowed(Fault::kInvalidParam, "dimRangeNum", dimRangeNum,
                          "2 and above, room for the least and the greatest size");
      }
      const StatusOr<DimRange> range = belay::runtime::RangeOf(description, index);
      if (!range) return range.error();
      dimRange[0] = (*range)[0];
      dimRange[1] = (*range)[1];
      return {};
    });
  });
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  (void)Change("aclSetTensorDescName", desc, [&](TensorDescription& description) -> Status {
    if (name == nullptr) return NullPointer("name");
    description.name = name;
    return {};
  });
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return Get<const char*>(
      "aclGetTensorDescName", desc, "",
      [](const TensorDescription& description) { return description.name.c_str(); });
}

aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat,
                                  aclTensorDesc** dstDesc) {
  return AclCall({"aclTransTensorDescFormat", kSource}, [&](Machine& machine) {
    return With(
        machine, srcDesc,
        [&](const TensorDescription& description) -> Status {
          if (dstDesc == nullptr) return NullPointer("dstDesc");
          BELAY_RETURN_IF_ERROR(
              belay::runtime::CheckFormat("dstFormat", static_cast<Format>(dstFormat)));
          StatusOr<TensorDescription> transposed =
              belay::runtime::Transposed(description, static_cast<Format>(dstFormat));
          if (!transposed) return transposed.error();
          *dstDesc = Publish(machine, std::move(*transposed));
          return {};
        },
        "srcDesc");
  });
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return SetStorageFormat("aclSetTensorStorageFormat", desc, format);
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return SetStorageShape("aclSetTensorStorageShape", desc, numDims, dims);
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return SetStorageFormat("aclSetTensorFormat", desc, format);
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return SetStorageShape("aclSetTensorShape", desc, numDims, dims);
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return SetOriginFormat("aclSetTensorOriginFormat", desc, format);
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Change("aclSetTensorOriginShape", desc, [&](TensorDescription& description) -> Status {
    StatusOr<std::vector<int64_t>> read = ReadDims(numDims, dims);
    if (!read) return read.error();
    // Ranges that were set for other dimensions say nothing about these.
    if (description.dims.size() != read->size()) description.shape_ranges.clear();
    description.dims = std::move(*read);
    return {};
  });
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  return Get<aclTensorDesc*>(
      "aclGetTensorDescByIndex", desc, nullptr,
      [&](const TensorDescription&) -> StatusOr<aclTensorDesc*> {
        if (index == 0) return desc;
        return belay::Unexpected(NotAllowed(Fault::kInvalidParam, "index", index,
                                            "0, since a description stands for one tensor"));
      });
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  return Get<void*>("aclGetTensorDescAddress", desc, nullptr,
                    [](const TensorDescription& description) -> StatusOr<void*> {
                      if (description.constant == nullptr) return nullptr;
                      return const_cast<std::byte*>(description.constant->data());
                    });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  return Change("aclSetTensorDynamicInput", desc, [&](TensorDescription& description) -> Status {
    if (dynamicInputName == nullptr) return NullPointer("dynamicInputName");
    description.dynamic_input = dynamicInputName;
    return {};
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  return AclCall({"aclSetTensorConst", kSource}, [&](Machine& machine) {
    return With(machine, desc, [&](TensorDescription& description) -> Status {
      if (dataBuffer == nullptr) return NullPointer("dataBuffer");
      BELAY_RETURN_IF_ERROR(belay::runtime::CheckConstantLength(description, length));
      const auto place = machine.memory().Locate("dataBuffer", dataBuffer, length);
      if (!place) return Refuse(Fault::kInvalidParam, "{}", place.error().message());
      if (place->kind == belay::runtime::PlaceKind::kDevice) {
        return NotAllowed(Fault::kInvalidParam, "dataBuffer", machine.memory().Describe(dataBuffer),
                          "memory of the host");
      }
      const auto* bytes = static_cast<const std::byte*>(dataBuffer);
      description.constant = std::make_shared<std::vector<std::byte>>(bytes, bytes + length);
      return {};
    });
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  return Change("aclSetTensorPlaceMent", desc, [&](TensorDescription& description) -> Status {
    const auto value = static_cast<int32_t>(memType);
    if (value < ACL_MEMTYPE_DEVICE || value > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT) {
      return NotAllowed(Fault::kInvalidParam, "memType", value, "the values of aclMemType, 0 to 2");
    }
    description.placement = value;
    return {};
  });
}
