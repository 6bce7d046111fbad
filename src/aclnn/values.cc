// Scalars and arrays: copies of what the program passed.
#include <cstdint>
#include <cstring>
#include <span>

#include "aclnn/objects.h"
#include "base/data_type.h"

using belay::Fault;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::StatusOr;
using belay::aclnn::AclnnCall;
using belay::aclnn::AclnnObject;
using belay::aclnn::DestroyElement;
using belay::aclnn::DestroyObject;
using belay::aclnn::FindObject;
using belay::aclnn::Machine;
using belay::runtime::HandleTable;
using belay::runtime::OpArray;
using belay::runtime::OpObjects;
using belay::runtime::OpScalar;
using belay::runtime::Ref;

namespace {

constexpr const char* kSource = "aclnn API, scalars and arrays";

template <class T>
using ArrayTable = HandleTable<OpArray<T>> OpObjects::*;

template <class Handle, class T>
Handle* CreateArray(const char* function, const T* value, uint64_t size, ArrayTable<T> table) {
  return AclnnObject<Handle>({function, kSource}, [&](Machine& machine, Handle*& handle) -> Status {
    if (value == nullptr && size > 0) {
      return Refuse(Fault::kNullPointer,
                    "value is null and size is {}; allowed an array of that length", size);
    }
    if (size > PTRDIFF_MAX / sizeof(T)) {
      return Refuse(Fault::kOutOfMemory, "size is {}; allowed as many values as memory holds",
                    size);
    }
    const auto array = (machine.op_objects().*table).Create(std::span<const T>(value, size));
    handle = static_cast<Handle*>(array.handle());
    return {};
  });
}

template <class T>
aclnnStatus DestroyArray(const char* function, const void* handle, ArrayTable<T> table) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    return DestroyObject(machine.op_objects().*table, "array", handle);
  });
}

template <class T>
aclnnStatus GetSize(const char* function, const void* handle, uint64_t* size, ArrayTable<T> table) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    if (handle == nullptr) return NullPointer("array");
    if (size == nullptr) return NullPointer("size");
    const StatusOr<Ref<OpArray<T>>> array =
        FindObject(machine.op_objects().*table, "array", handle);
    if (!array) return array.error();
    *size = (*array)->values.size();
    return {};
  });
}

// A bool that a program made is any byte; as bytes they can be copied whatever they are.
const std::uint8_t* BytesOf(const bool* values) {
  static_assert(sizeof(bool) == 1);
  return reinterpret_cast<const std::uint8_t*>(values);
}

}  // namespace

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return AclnnObject<aclScalar>(
      {"aclCreateScalar", kSource}, [&](Machine& machine, aclScalar*& handle) -> Status {
        if (value == nullptr) return NullPointer("value");
        const auto dtype = static_cast<belay::DataType>(dataType);
        const Ref<OpScalar> scalar = machine.op_objects().scalars.Create();
        scalar->dtype = dtype;
        // A type without a value of so few bytes is kept; no operator takes it.
        const std::uint64_t bytes = belay::ItemBytes(dtype);
        if (bytes <= OpScalar::kMaxBytes) std::memcpy(scalar->value.data(), value, bytes);
        handle = static_cast<aclScalar*>(scalar.handle());
        return {};
      });
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return AclnnCall({"aclDestroyScalar", kSource}, [&](Machine& machine) -> Status {
    return DestroyElement(machine.op_objects().scalars, "scalar", scalar);
  });
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return CreateArray<aclIntArray>("aclCreateIntArray", value, size, &OpObjects::int_arrays);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return CreateArray<aclFloatArray>("aclCreateFloatArray", value, size, &OpObjects::float_arrays);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return CreateArray<aclBoolArray>("aclCreateBoolArray", BytesOf(value), size,
                                   &OpObjects::bool_arrays);
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return DestroyArray("aclDestroyIntArray", array, &OpObjects::int_arrays);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return DestroyArray("aclDestroyFloatArray", array, &OpObjects::float_arrays);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return DestroyArray("aclDestroyBoolArray", array, &OpObjects::bool_arrays);
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return GetSize("aclGetIntArraySize", array, size, &OpObjects::int_arrays);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return GetSize("aclGetFloatArraySize", array, size, &OpObjects::float_arrays);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return GetSize("aclGetBoolArraySize", array, size, &OpObjects::bool_arrays);
}
