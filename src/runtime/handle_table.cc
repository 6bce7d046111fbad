#include "runtime/handle_table.h"

namespace belay::runtime {
namespace {

const char* Article(HandleKind kind) noexcept {
  return kind == HandleKind::kEvent || kind == HandleKind::kIntArray ||
                 kind == HandleKind::kOpExecutor
             ? "an"
             : "a";
}

}  // namespace

std::string_view Name(HandleKind kind) noexcept {
  switch (kind) {
    case HandleKind::kContext:
      return "context";
    case HandleKind::kStream:
      return "stream";
    case HandleKind::kEvent:
      return "event";
    case HandleKind::kDataBuffer:
      return "data buffer";
    case HandleKind::kTensor:
      return "tensor";
    case HandleKind::kScalar:
      return "scalar";
    case HandleKind::kIntArray:
      return "int array";
    case HandleKind::kFloatArray:
      return "float array";
    case HandleKind::kBoolArray:
      return "bool array";
    case HandleKind::kTensorList:
      return "tensor list";
    case HandleKind::kScalarList:
      return "scalar list";
    case HandleKind::kOpExecutor:
      return "executor";
    case HandleKind::kPhysicalMemory:
      return "block of physical memory";
    case HandleKind::kTensorDesc:
      return "tensor description";
  }
  return "unknown object";
}

std::string DescribeBadHandle(const void* handle, HandleKind expected,
                              std::string_view ended) noexcept {
  HandleParts parts{};
  if (handle == nullptr) return "null";
  if (!HandleParts::Decode(handle, parts)) {
    return Text("{}, which is no handle that this library gave out", fmt::ptr(handle));
  }
  if (parts.kind != expected) {
    return Text("{}, the handle of {} {}", fmt::ptr(handle), Article(parts.kind), Name(parts.kind));
  }
  return Text("{}, {} {} that {}", fmt::ptr(handle), Article(expected), Name(expected), ended);
}

}  // namespace belay::runtime
