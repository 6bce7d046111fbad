#include "runtime/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <new>

#include "base/checked_math.h"

namespace belay::runtime {

std::optional<ByteRange> AddressSpace::Take(std::size_t size, std::size_t alignment,
                                            std::uintptr_t wish) {
  const std::lock_guard lock(mutex_);
  const bool possible = wish != 0 && wish % alignment == 0 && CheckedAdd(wish, size);
  if (possible && TakeAt({wish, size})) return ByteRange{wish, size};
  if (const std::optional<ByteRange> free = free_.Take(size, alignment)) return free;
  const std::optional<std::size_t> with_alignment = CheckedAdd(size, alignment);
  if (!with_alignment || !AddExtent(*with_alignment, 0)) return std::nullopt;
  return free_.Take(size, alignment);
}

void AddressSpace::Give(ByteRange range) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    free_.Give(range);
  } catch (const std::bad_alloc&) {
    // No memory to remember it: these addresses are lost.
  }
}

bool AddressSpace::Owns(std::uintptr_t address) const noexcept {
  const std::lock_guard lock(mutex_);
  return std::any_of(extents_.begin(), extents_.end(),
                     [address](const ByteRange& extent) { return extent.Contains(address); });
}

bool AddressSpace::TakeAt(ByteRange range) {
  return free_.TakeExactly(range) ||
         (AddExtent(range.size, range.begin) && free_.TakeExactly(range));
}

std::optional<ByteRange> AddressSpace::AddExtent(std::size_t size, std::uintptr_t wish) {
  extents_.reserve(extents_.size() + 1);
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (wish != 0) flags |= MAP_FIXED_NOREPLACE;
  void* const memory =
      ::mmap(reinterpret_cast<void*>(wish), size, PROT_NONE, flags, /*fd=*/-1, /*offset=*/0);
  if (memory == MAP_FAILED) return std::nullopt;
  const ByteRange extent{reinterpret_cast<std::uintptr_t>(memory), size};
  // An old kernel takes the wish for a hint.
  if (wish != 0 && extent.begin != wish) {
    ::munmap(memory, size);
    return std::nullopt;
  }
  try {
    free_.Give(extent);
  } catch (...) {
    ::munmap(memory, size);
    throw;
  }
  extents_.push_back(extent);
  return extent;
}

bool Reservation::Occupy(ByteRange part) {
  const std::lock_guard lock(mutex_);
  const auto after = occupied_.lower_bound(part.end());
  if (after != occupied_.begin()) {
    const auto& [begin, size] = *std::prev(after);
    if (ByteRange{begin, size}.Overlaps(part)) return false;
  }
  occupied_.emplace(part.begin, part.size);
  return true;
}

void Reservation::Vacate(ByteRange part) noexcept {
  const std::lock_guard lock(mutex_);
  occupied_.erase(part.begin);
}

}  // namespace belay::runtime
