#include "runtime/handle_table.h"

namespace belay::runtime {

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
  }
  return "unknown object";
}

std::string DescribeBadHandle(const void* handle, HandleKind expected) {
  HandleParts parts{};
  if (handle == nullptr) return "null";
  if (!HandleParts::Decode(handle, parts)) {
    return fmt::format("{}, which is no handle that this library gave out", fmt::ptr(handle));
  }
  if (parts.kind != expected) {
    return fmt::format("{}, the handle of a {}", fmt::ptr(handle), Name(parts.kind));
  }
  return fmt::format("{}, a {} that is already destroyed", fmt::ptr(handle), Name(expected));
}

}  // namespace belay::runtime
