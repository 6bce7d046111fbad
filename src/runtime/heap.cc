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

constexpr std::size_t AlignmentOf(std::size_t footprint) noexcept {
  return footprint >= Heap::kHugePage ? Heap::kHugePage : Heap::kGranularity;
}

// Gives whole pages inside the range back to the system; the addresses stay ours.
void Decommit(ByteRange range) noexcept {
  const std::uintptr_t begin = AlignUp(range.begin, HostPageBytes());
  const std::uintptr_t end = range.end() & ~(std::uintptr_t{HostPageBytes()} - 1);
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace

std::optional<std::size_t> Heap::Footprint(std::size_t size) noexcept {
  return CheckedRoundUp(size, kGranularity);
}

std::optional<ByteRange> Heap::AllocateKept(std::size_t size) {
  const std::optional<std::size_t> footprint = Footprint(size);
  if (!footprint) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (*footprint > kept_bytes_) return std::nullopt;
  const std::optional<ByteRange> range = TakeHole(kept_, *footprint, AlignmentOf(*footprint));
  if (!range) return std::nullopt;
  kept_bytes_ -= *footprint;
  Unpoison({range->begin, size});
  return ByteRange{range->begin, size};
}

std::optional<ByteRange> Heap::AllocateFresh(std::size_t size) {
  const std::optional<std::size_t> footprint = Footprint(size);
  if (!footprint) return std::nullopt;
  const std::size_t alignment = AlignmentOf(*footprint);
  const std::lock_guard lock(mutex_);
  std::optional<ByteRange> range = TakeHole(fresh_, *footprint, alignment);
  if (!range) {
    const std::optional<std::size_t> with_alignment = CheckedAdd(*footprint, alignment);
    if (!with_alignment || !AddExtent(*with_alignment)) return std::nullopt;
    range = TakeHole(fresh_, *footprint, alignment);
  }
  if (!range) return std::nullopt;
  Unpoison({range->begin, size});
  return ByteRange{range->begin, size};
}

bool Heap::Free(ByteRange range) noexcept {
  range.size = Footprint(range.size).value_or(range.size);
  Poison(range);
  const std::lock_guard lock(mutex_);
  try {
    if (range.size <= keep_limit_ - kept_bytes_) {
      AddHole(kept_, range);
      kept_bytes_ += range.size;
      return true;
    }
    AddHole(fresh_, range);
  } catch (const std::bad_alloc&) {
    // No memory to remember the hole: its address space is lost, its memory is not.
  }
  Decommit(range);
  return false;
}

std::size_t Heap::Trim() noexcept {
  const std::lock_guard lock(mutex_);
  std::size_t given_back = 0;
  while (const std::optional<ByteRange> hole = kept_.First()) {
    try {
      AddHole(fresh_, *hole);
    } catch (const std::bad_alloc&) {
      break;  // the rest stays kept
    }
    kept_.Remove(*hole);
    kept_bytes_ -= hole->size;
    Decommit(*hole);
    given_back += hole->size;
  }
  return given_back;
}

bool Heap::Owns(std::uintptr_t address) const noexcept {
  const std::lock_guard lock(mutex_);
  return std::any_of(extents_.begin(), extents_.end(),
                     [address](const ByteRange& extent) { return extent.Contains(address); });
}

std::optional<ByteRange> Heap::TakeHole(Holes& holes, std::size_t size, std::size_t alignment) {
  const std::optional<ByteRange> hole = holes.TightestFor(size, alignment);
  if (!hole) return std::nullopt;
  const std::uintptr_t begin = AlignUp(hole->begin, alignment);
  // What is left over is written down first, so running out of memory changes nothing.
  Holes rest;
  if (begin != hole->begin) rest.Add({hole->begin, begin - hole->begin});
  if (begin + size != hole->end()) rest.Add({begin + size, hole->end() - (begin + size)});
  holes.Remove(*hole);
  holes.Join(std::move(rest));
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
  // Only a wish: without huge pages the memory works as well, slower.
  ::madvise(memory, *size, MADV_HUGEPAGE);
  const ByteRange extent{reinterpret_cast<std::uintptr_t>(memory), *size};
  Poison(extent);
  try {
    AddHole(fresh_, extent);
  } catch (...) {
    Unpoison(extent);
    ::munmap(memory, *size);
    throw;
  }
  extents_.push_back(extent);
  return true;
}

void Heap::AddHole(Holes& holes, ByteRange range) {
  const std::optional<ByteRange> before = holes.EndingAt(range.begin);
  const std::optional<ByteRange> after = holes.StartingAt(range.end());
  ByteRange merged = range;
  if (before) merged = {before->begin, before->size + merged.size};
  if (after) merged.size += after->size;
  Holes added;
  added.Add(merged);
  if (before) holes.Remove(*before);
  if (after) holes.Remove(*after);
  holes.Join(std::move(added));
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

std::optional<ByteRange> Heap::Holes::First() const noexcept {
  if (by_address_.empty()) return std::nullopt;
  return ByteRange{by_address_.begin()->first, by_address_.begin()->second};
}

}  // namespace belay::runtime
