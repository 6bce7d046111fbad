// Lists of tensors and of scalars, which own their elements.
#include <algorithm>
#include <cstdint>
#include <span>

#include "aclnn/objects.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::StatusOr;
using belay::aclnn::AclnnCall;
using belay::aclnn::AclnnObject;
using belay::aclnn::FindObject;
using belay::aclnn::Machine;
using belay::runtime::HandleTable;
using belay::runtime::OpList;
using belay::runtime::OpObjects;
using belay::runtime::OpScalar;
using belay::runtime::OpTensor;
using belay::runtime::Ref;

namespace {

constexpr const char* kSource = "aclnn API, lists";

using ListTable = HandleTable<OpList> OpObjects::*;
using Elements = std::span<const void* const>;

// Enters the elements into a list, each of which may be in one only; gives them back when one
// fails.
template <class T>
Status ClaimAll(HandleTable<T>& table, Elements elements) {
  std::size_t claimed = 0;
  const auto claim = [&](const void* element) -> Status {
    if (element == nullptr) return {};
    const StatusOr<Ref<T>> object = FindObject(table, belay::Text("value[{}]", claimed), element);
    if (!object) return object.error();
    if (!(*object)->is_listed.exchange(true, std::memory_order_acq_rel)) return {};
    const auto before = elements.first(claimed);
    const auto same = std::ranges::find(before, element);
    if (same != before.end()) {
      return Refuse(Fault::kInvalidParam, "value[{}] is value[{}] again; allowed each object once",
                    claimed, same - before.begin());
    }
    return Refuse(Fault::kInvalidParam,
                  "value[{}] belongs to a list already; allowed objects of no list", claimed);
  };
  for (; claimed < elements.size(); ++claimed) {
    Status status = claim(elements[claimed]);
    if (status.ok()) continue;
    for (const void* element : elements.first(claimed)) {
      if (const Ref<T> object = table.Acquire(element)) {
        object->is_listed.store(false, std::memory_order_release);
      }
    }
    return status;
  }
  return {};
}

template <class Handle, class T>
Handle* CreateList(const char* function, const void* const* value, uint64_t size, ListTable lists,
                   HandleTable<T> OpObjects::*elements) {
  return AclnnObject<Handle>({function, kSource}, [&](Machine& machine, Handle*& handle) -> Status {
    if (value == nullptr && size > 0) {
      return Refuse(Fault::kNullPointer,
                    "value is null and size is {}; allowed an array of that length", size);
    }
    if (size > PTRDIFF_MAX / sizeof(void*)) {
      return Refuse(Fault::kOutOfMemory, "size is {}; allowed as many elements as memory holds",
                    size);
    }
    OpObjects& objects = machine.op_objects();
    const Ref<OpList> list = (objects.*lists).Create(Elements(value, size));
    if (Status status = ClaimAll(objects.*elements, list->elements); !status.ok()) {
      (void)(objects.*lists).Retire(list.handle());
      return status;
    }
    handle = static_cast<Handle*>(list.handle());
    return {};
  });
}

template <class T>
aclnnStatus DestroyList(const char* function, const void* handle, ListTable lists,
                        HandleTable<T> OpObjects::*elements) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    if (handle == nullptr) return {};
    OpObjects& objects = machine.op_objects();
    const Ref<OpList> list = (objects.*lists).Retire(handle);
    if (!list) return FindObject(objects.*lists, "array", handle).error();
    for (const void* element : list->elements) {
      (void)(objects.*elements).Retire(element, "was destroyed with its list");
    }
    return {};
  });
}

aclnnStatus GetSize(const char* function, const char* argument, const void* handle, uint64_t* size,
                    ListTable lists) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    if (handle == nullptr) return NullPointer(argument);
    if (size == nullptr) return NullPointer("size");
    const StatusOr<Ref<OpList>> list = FindObject(machine.op_objects().*lists, argument, handle);
    if (!list) return list.error();
    *size = (*list)->elements.size();
    return {};
  });
}

template <class Object>
const void* const* Untyped(const Object* const* objects) {
  return reinterpret_cast<const void* const*>(objects);
}

}  // namespace

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return CreateList<aclTensorList>("aclCreateTensorList", Untyped(value), size,
                                   &OpObjects::tensor_lists, &OpObjects::tensors);
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return CreateList<aclScalarList>("aclCreateScalarList", Untyped(value), size,
                                   &OpObjects::scalar_lists, &OpObjects::scalars);
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return DestroyList("aclDestroyTensorList", array, &OpObjects::tensor_lists, &OpObjects::tensors);
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return DestroyList("aclDestroyScalarList", array, &OpObjects::scalar_lists, &OpObjects::scalars);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return GetSize("aclGetTensorListSize", "tensorList", tensorList, size, &OpObjects::tensor_lists);
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return GetSize("aclGetScalarListSize", "scalarList", scalarList, size, &OpObjects::scalar_lists);
}
