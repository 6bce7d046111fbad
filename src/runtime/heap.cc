#include "runtime/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "base/checked_math.h"
#include "runtime/host_page.h"

#if defined(__SANITIZE_ADDRESS__)
#define BELAY_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BELAY_HAS_ASAN 1
#endif
#endif
#if defined(BELAY_HAS_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace belay::runtime {
namespace {

constexpr std::size_t kFirstExtent = std::size_t{64} << 20;

// Under AddressSanitizer the bytes outside live blocks are out of bounds for our own kernels too.
void Poison(ByteRange range) noexcept {
#if defined(BELAY_HAS_ASAN)
  __asan_poison_memory_region(reinterpret_cast<void*>(range.begin), range.size);
#else
  (void)range;
#endif
}

void Unpoison(ByteRange range) noexcept {
#if defined(BELAY_HAS_ASAN)
  __asan_unpoison_memory_region(reinterpret_cast<void*>(range.begin), range.size);
#else
  (void)range;
#endif
}

constexpr std::uintptr_t AlignUp(std::uintptr_t value, std::size_t alignment) noexcept {
  return (value + alignment - 1) & ~(std::uintptr_t{alignment} - 1);
}

// Gives whole pages inside the range back to the system; the addresses stay ours.
void Decommit(ByteRange range) noexcept {
  const std::uintptr_t begin = AlignUp(range.begin, HostPageBytes());
  const std::uintptr_t end = range.end() & ~(std::uintptr_t{HostPageBytes()} - 1);
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace

std::optional<ByteRange> Heap::Allocate(std::size_t size) {
  const std::optional<std::size_t> rounded = CheckedRoundUp(size, kGranularity);
  if (!rounded) return std::nullopt;
  const std::size_t alignment = *rounded >= kHugePage ? kHugePage : kGranularity;
  std::optional<ByteRange> range;
  {
    const std::lock_guard lock(mutex_);
    range = TakeHole(*rounded, alignment);
    if (!range) {
      const std::optional<std::size_t> with_alignment = CheckedAdd(*rounded, alignment);
      if (!with_alignment || !AddExtent(*with_alignment)) return std::nullopt;
      range = TakeHole(*rounded, alignment);
    }
  }
  if (!range) return std::nullopt;
  if (range->size >= kHugePage) {
    // Only a wish: without huge pages the block works as well, slower.
    ::madvise(reinterpret_cast<void*>(range->begin), range->size, MADV_HUGEPAGE);
  }
  Unpoison({range->begin, size});
  return ByteRange{range->begin, size};
}

void Heap::Free(ByteRange range) noexcept {
  range.size = CheckedRoundUp(range.size, kGranularity).value_or(range.size);
  Decommit(range);
  Poison(range);
  const std::lock_guard lock(mutex_);
  try {
    AddHole(range);
  } catch (const std::bad_alloc&) {
    // No memory to remember the hole: its address space is lost, its memory is not.
  }
}

bool Heap::Owns(std::uintptr_t address) const noexcept {
  const std::lock_guard lock(mutex_);
  return std::any_of(extents_.begin(), extents_.end(),
                     [address](const ByteRange& extent) { return extent.Contains(address); });
}

std::optional<ByteRange> Heap::TakeHole(std::size_t size, std::size_t alignment) {
  const std::optional<ByteRange> hole = holes_.TightestFor(size, alignment);
  if (!hole) return std::nullopt;
  const std::uintptr_t begin = AlignUp(hole->begin, alignment);
  // What is left over is written down first, so running out of memory changes nothing.
  Holes rest;
  if (begin != hole->begin) rest.Add({hole->begin, begin - hole->begin});
  if (begin + size != hole->end()) rest.Add({begin + size, hole->end() - (begin + size)});
  holes_.Remove(*hole);
  holes_.Join(std::move(rest));
  return ByteRange{begin, size};
}

bool Heap::AddExtent(std::size_t at_least) {
  const std::optional<std::size_t> size =
      CheckedRoundUp(std::max(at_least, kFirstExtent), kHugePage);
  if (!size) return false;
  extents_.reserve(extents_.size() + 1);
  void* memory = ::mmap(nullptr, *size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  const ByteRange extent{reinterpret_cast<std::uintptr_t>(memory), *size};
  Poison(extent);
  try {
    AddHole(extent);
  } catch (...) {
    Unpoison(extent);
    ::munmap(memory, *size);
    throw;
  }
  extents_.push_back(extent);
  return true;
}

void Heap::AddHole(ByteRange range) {
  const std::optional<ByteRange> before = holes_.EndingAt(range.begin);
  const std::optional<ByteRange> after = holes_.StartingAt(range.end());
  ByteRange merged = range;
  if (before) merged = {before->begin, before->size + merged.size};
  if (after) merged.size += after->size;
  Holes added;
  added.Add(merged);
  if (before) holes_.Remove(*before);
  if (after) holes_.Remove(*after);
  holes_.Join(std::move(added));
}

void Heap::Holes::Add(ByteRange hole) {
  const auto by_size = by_size_.emplace(hole.size, hole.begin).first;
  try {
    by_address_.emplace(hole.begin, hole.size);
  } catch (...) {
    by_size_.erase(by_size);
    throw;
  }
}

void Heap::Holes::Remove(ByteRange hole) noexcept {
  by_size_.erase({hole.size, hole.begin});
  by_address_.erase(hole.begin);
}

void Heap::Holes::Join(Holes&& more) noexcept {
  // Nodes change hands; nothing is allocated.
  by_size_.merge(more.by_size_);
  by_address_.merge(more.by_address_);
}

std::optional<ByteRange> Heap::Holes::TightestFor(std::size_t size,
                                                  std::size_t alignment) const noexcept {
  for (auto it = by_size_.lower_bound({size, 0}); it != by_size_.end(); ++it) {
    const ByteRange hole{it->second, it->first};
    if (hole.Contains(ByteRange{AlignUp(hole.begin, alignment), size})) return hole;
  }
  return std::nullopt;
}

std::optional<ByteRange> Heap::Holes::EndingAt(std::uintptr_t address) const noexcept {
  auto it = by_address_.lower_bound(address);
  if (it == by_address_.begin()) return std::nullopt;
  --it;
  if (it->first + it->second != address) return std::nullopt;
  return ByteRange{it->first, it->second};
}

std::optional<ByteRange> Heap::Holes::StartingAt(std::uintptr_t address) const noexcept {
  const auto it = by_address_.find(address);
  if (it == by_address_.end()) return std::nullopt;
  return ByteRange{it->first, it->second};
}

}  // namespace belay::runtime
