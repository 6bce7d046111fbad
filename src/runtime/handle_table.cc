#include "runtime/handle_table.h"

namespace belay::runtime {
namespace {

const char* Article(HandleKind kind) noexcept { return kind == HandleKind::kEvent ? "an" : "a"; }

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
    case HandleKind::kPhysicalMemory:
      return "block of physical memory";
    case HandleKind::kTensorDesc:
      return "tensor description";
  }
  return "unknown object";
}

std::string DescribeBadHandle(const void* handle, HandleKind expected) noexcept {
  HandleParts parts{};
  if (handle == nullptr) return "null";
  if (!HandleParts::Decode(handle, parts)) {
    return Text("{}, which is no handle that this library gave out", fmt::ptr(handle));
  }
  if (parts.kind != expected) {
    return Text("{}, the handle of {} {}", fmt::ptr(handle), Article(parts.kind), Name(parts.kind));
  }
  return Text("{}, {} {} that is already destroyed", fmt::ptr(handle), Article(expected),
              Name(expected));
}

}  // namespace belay::runtime
