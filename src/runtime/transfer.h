// Copies and fills: the rules of aclrtMemcpy, aclrtMemset and their kin, and the launches they
// make.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "base/status.h"
#include "runtime/memory_map.h"
#include "runtime/stream.h"

namespace belay::runtime {

/// What the caller says about the direction. The addresses decide; kinds only restrict.
enum class CopyKind : std::uint8_t {
  kHostToHost,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
  kDefault,  // from the addresses
  kHostToBufferToDevice,
  kUnsupported,  // any other value
};

/// `height` rows of `width` bytes, each `pitch` after the one before.
struct Copy2d {
  void* dst = nullptr;
  std::size_t dst_pitch = 0;
  const void* src = nullptr;
  std::size_t src_pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  CopyKind kind = CopyKind::kDefault;
};

struct Copy {
  void* dst = nullptr;
  std::size_t dst_max = 0;
  const void* src = nullptr;
  std::size_t count = 0;
  CopyKind kind = CopyKind::kDefault;
};

struct Fill {
  void* address = nullptr;
  std::size_t max_count = 0;
  std::int32_t value = 0;  // the low 8 bits count
  std::size_t count = 0;
};

// At once, on the calling thread, ordered with no stream.
BELAY_EXPORT Status CopyNow(const Copy& copy, CallSite site);
BELAY_EXPORT Status CopyNow(const Copy2d& copy, CallSite site);
BELAY_EXPORT Status FillNow(const Fill& fill, CallSite site);

// In a stream (null: the default stream). With pageable host memory the call returns when the copy
// is done; the source may then be reused at once.
BELAY_EXPORT Status CopyInStream(const Copy& copy, const void* stream);
BELAY_EXPORT Status CopyInStream(const Copy2d& copy, const void* stream);
BELAY_EXPORT Status FillInStream(const Fill& fill, const void* stream);

}  // namespace belay::runtime
