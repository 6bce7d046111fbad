// Finding and ending the objects behind aclnn's handles.
#pragma once

#include <string_view>

#include "aclnn/aclnn_call.h"
#include "runtime/handle_table.h"
#include "runtime/op_objects.h"

namespace belay::aclnn {

/// The object of a handle, or why there is none: kNullPointer, or kInvalidParam with what became of
/// it.
template <class T>
StatusOr<runtime::Ref<T>> FindObject(runtime::HandleTable<T>& table, std::string_view argument,
                                     const void* handle) {
  if (handle == nullptr) return Unexpected(NullPointer(argument));
  runtime::Ref<T> object = table.Acquire(handle);
  if (object) return object;
  return Unexpected(NotAllowed(Fault::kInvalidParam, argument, table.Describe(handle),
                               Text("a live {}", runtime::Name(table.kind()))));
}

/// Ends the object; null is welcome.
template <class T>
Status DestroyObject(runtime::HandleTable<T>& table, std::string_view argument,
                     const void* handle) {
  if (handle == nullptr || table.Retire(handle)) return {};
  return FindObject(table, argument, handle).error();
}

/// The same for objects that lists may own.
template <class T>
Status DestroyElement(runtime::HandleTable<T>& table, std::string_view argument,
                      const void* handle) {
  const runtime::Ref<T> object = table.Acquire(handle);
  if (object && object->is_listed.load(std::memory_order_acquire)) {
    return Refuse(Fault::kInvalidParam,
                  "{} belongs to a list, which destroys it; allowed objects of no list", argument);
  }
  return DestroyObject(table, argument, handle);
}

}  // namespace belay::aclnn
