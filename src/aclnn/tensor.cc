// Tensors: what aclCreateTensor and aclInitTensor are told is kept as it is; operators judge it.
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "aclnn/objects.h"
#include "runtime/op_objects.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::StatusOr;
using belay::aclnn::AclnnCall;
using belay::aclnn::AclnnObject;
using belay::aclnn::DestroyElement;
using belay::aclnn::FindObject;
using belay::aclnn::Machine;
using belay::runtime::OpTensor;
using belay::runtime::Ref;

namespace {

constexpr const char* kSource = "aclnn API, tensors";

// More dimensions than any operator takes; counts above are taken for garbage, not read.
constexpr std::uint64_t kMaxDims = 1024;

using Description = OpTensor::Description;
using Dimensions = std::vector<std::int64_t>;

Status CheckDims(std::string_view name, const int64_t* dims, std::string_view count_name,
                 std::uint64_t count) {
  if (dims == nullptr && count > 0) {
    return Refuse(Fault::kNullPointer, "{} is null and {} is {}; allowed an array of that length",
                  name, count_name, count);
  }
  if (count <= kMaxDims) return {};
  return NotAllowed(Fault::kInvalidParam, count_name, count, belay::Text("0 to {}", kMaxDims));
}

// Wraps around where sizes are absurd: operators refuse those by the sizes.
Dimensions ContiguousStrides(const Dimensions& dims) {
  Dimensions strides(dims.size());
  std::uint64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(dims[i]);
  }
  return strides;
}

Dimensions StridesOf(const int64_t* stride, const Dimensions& dims) {
  if (stride == nullptr) return ContiguousStrides(dims);
  return {stride, stride + dims.size()};
}

// Calls read(tensor) after the checks that all getters have.
template <class Value, class Read>
aclnnStatus Get(const char* function, const aclTensor* handle, const char* result, Value* value,
                Read read) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    if (handle == nullptr) return NullPointer("tensor");
    if (value == nullptr) return NullPointer(result);
    const StatusOr<Ref<OpTensor>> tensor =
        FindObject(machine.op_objects().tensors, "tensor", handle);
    if (!tensor) return tensor.error();
    *value = read((*tensor)->description());
    return {};
  });
}

struct ArrayResult {
  const char* name;
  int64_t** values;
  const char* count_name;
  uint64_t* count;
};

aclnnStatus GetArray(const char* function, const aclTensor* handle, const ArrayResult& result,
                     Dimensions OpTensor::Description::*member) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    if (handle == nullptr) return NullPointer("tensor");
    if (result.values == nullptr) return NullPointer(result.name);
    if (result.count == nullptr) return NullPointer(result.count_name);
    const StatusOr<Ref<OpTensor>> tensor =
        FindObject(machine.op_objects().tensors, "tensor", handle);
    if (!tensor) return tensor.error();
    const Dimensions& values = (*tensor)->description().*member;
    // The program releases it with delete[].
    auto copy = std::make_unique_for_overwrite<int64_t[]>(values.size());
    std::copy(values.begin(), values.end(), copy.get());
    *result.values = copy.release();
    *result.count = values.size();
    return {};
  });
}

}  // namespace

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  return AclnnObject<aclTensor>(
      {"aclCreateTensor", kSource}, [&](Machine& machine, aclTensor*& handle) -> Status {
        BELAY_RETURN_IF_ERROR(CheckDims("viewDims", viewDims, "viewDimsNum", viewDimsNum));
        BELAY_RETURN_IF_ERROR(
            CheckDims("storageDims", storageDims, "storageDimsNum", storageDimsNum));
        Description tensor;
        tensor.view_dims.assign(viewDims, viewDims + viewDimsNum);
        tensor.strides = StridesOf(stride, tensor.view_dims);
        tensor.storage_dims.assign(storageDims, storageDims + storageDimsNum);
        tensor.offset = offset;
        tensor.dtype = static_cast<belay::DataType>(dataType);
        tensor.format = static_cast<belay::Format>(format);
        tensor.storage = tensorData;
        handle = static_cast<aclTensor*>(
            machine.op_objects().tensors.Create(std::move(tensor)).handle());
        return {};
      });
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return AclnnCall({"aclDestroyTensor", kSource}, [&](Machine& machine) -> Status {
    return DestroyElement(machine.op_objects().tensors, "tensor", tensor);
  });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                          aclDataType dataType, const int64_t* stride, int64_t offset,
                          aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                          void* tensorDataAddr) {
  return AclnnCall({"aclInitTensor", kSource}, [&](Machine& machine) -> Status {
    const StatusOr<Ref<OpTensor>> found =
        FindObject(machine.op_objects().tensors, "tensor", tensor);
    if (!found) return found.error();
    const Description& known = (*found)->description();
    // Null as well as a count of 0 keeps what is there.
    const std::uint64_t view_count = viewDims == nullptr ? 0 : viewDimsNum;
    const std::uint64_t storage_count = storageDims == nullptr ? 0 : storageDimsNum;
    BELAY_RETURN_IF_ERROR(CheckDims("viewDims", viewDims, "viewDimsNum", view_count));
    BELAY_RETURN_IF_ERROR(CheckDims("storageDims", storageDims, "storageDimsNum", storage_count));
    Description next;
    next.view_dims =
        view_count == 0 ? known.view_dims : Dimensions(viewDims, viewDims + view_count);
    next.strides = StridesOf(stride, next.view_dims);
    next.storage_dims = storage_count == 0 ? known.storage_dims
                                           : Dimensions(storageDims, storageDims + storage_count);
    next.dtype = static_cast<belay::DataType>(dataType);
    next.offset = offset;
    next.format = static_cast<belay::Format>(format);
    next.storage = tensorDataAddr == nullptr ? known.storage : tensorDataAddr;
    (*found)->Describe(std::move(next));
    return {};
  });
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return GetArray("aclGetViewShape", tensor, {"viewDims", viewDims, "viewDimsNum", viewDimsNum},
                  &Description::view_dims);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return GetArray("aclGetStorageShape", tensor,
                  {"storageDims", storageDims, "storageDimsNum", storageDimsNum},
                  &Description::storage_dims);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return GetArray("aclGetViewStrides", tensor,
                  {"stridesValue", stridesValue, "stridesNum", stridesNum}, &Description::strides);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return Get("aclGetViewOffset", tensor, "offset", offset,
             [](const Description& object) { return object.offset; });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return Get("aclGetFormat", tensor, "format", format,
             [](const Description& object) { return static_cast<aclFormat>(object.format); });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return Get("aclGetDataType", tensor, "dataType", dataType,
             [](const Description& object) { return static_cast<aclDataType>(object.dtype); });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return Get("aclGetRawTensorAddr", tensor, "addr", addr,
             [](const Description& object) { return object.storage; });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return AclnnCall({"aclSetRawTensorAddr", kSource}, [&](Machine& machine) -> Status {
    const StatusOr<Ref<OpTensor>> found =
        FindObject(machine.op_objects().tensors, "tensor", tensor);
    if (!found) return found.error();
    (*found)->SetStorage(addr);
    return {};
  });
}
