// Many copies in one call: the rules of aclrtMemcpyBatch and its kin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/export.h"
#include "base/status.h"
#include "runtime/memory_map.h"

namespace belay::runtime {

/// A place as a batch names it.
struct MemoryPlace {
  std::int32_t type = 0;  // as aclrtMemLocationType numbers it
  std::uint32_t id = 0;   // of a device; of no account for the host
};

/// What lies at the ends of the copies from entry `first` on.
struct BatchAttribute {
  std::size_t first = 0;
  MemoryPlace dst;
  MemoryPlace src;
};

/// The arrays are the caller's and have `count` entries.
struct CopyBatch {
  void* const* dsts = nullptr;
  const std::size_t* dst_maxs = nullptr;
  const void* const* srcs = nullptr;
  const std::size_t* sizes = nullptr;
  std::size_t count = 0;
  std::span<const BatchAttribute> attributes;  // at least one, at most `count`
};

/// Stands for no entry: a refusal that is not about one of them.
inline constexpr std::size_t kNoEntry = SIZE_MAX;

// All entries are checked before the first is copied. A refusal sets `failed` to the first entry at
// fault or to kNoEntry, and then nothing was copied; but when a stream can take no more work in the
// midst of a batch, the entries before `failed` are in it.
/// At once, on the calling thread, one after the other.
BELAY_EXPORT Status CopyNow(const CopyBatch& batch, CallSite site, std::size_t& failed);
/// In a stream (null: the default stream). With pageable host memory in any entry the call returns
/// when all copies are done.
BELAY_EXPORT Status CopyInStream(const CopyBatch& batch, const void* stream, std::size_t& failed);

}  // namespace belay::runtime
