// Address space for the blocks of one device, or for page-locked host memory.
//
// Extents are mapped from the system and never unmapped, so an address that once was device memory
// can never turn up as ordinary host memory: telling a dangling device pointer from a host pointer
// is a look at the extents. Memory of freed blocks goes back to the system at once.
// The bookkeeping lies apart from the memory; a program that writes past a block cannot damage it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/byte_range.h"
#include "base/export.h"

namespace belay::runtime {

class BELAY_EXPORT Heap {
 public:
  /// Every block starts at a multiple of this, and takes a multiple of it.
  static constexpr std::size_t kGranularity = 512;
  /// Blocks of at least this size start on a huge page and ask for huge pages.
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Memory for `size` bytes, contents undefined; nothing when the system has no address space.
  /// May throw std::bad_alloc; then nothing has changed.
  [[nodiscard]] std::optional<ByteRange> Allocate(std::size_t size);

  /// Takes back what Allocate gave for this size.
  void Free(ByteRange range) noexcept;

  /// Whether the address lies in this heap's address space, allocated or not.
  [[nodiscard]] bool Owns(std::uintptr_t address) const noexcept;

 private:
  /// The holes, by address to merge neighbours and by size to find the tightest.
  class Holes {
   public:
    void Add(ByteRange hole);  // strong guarantee
    void Remove(ByteRange hole) noexcept;
    void Join(Holes&& more) noexcept;
    [[nodiscard]] std::optional<ByteRange> TightestFor(std::size_t size,
                                                       std::size_t alignment) const noexcept;
    [[nodiscard]] std::optional<ByteRange> EndingAt(std::uintptr_t address) const noexcept;
    [[nodiscard]] std::optional<ByteRange> StartingAt(std::uintptr_t address) const noexcept;

   private:
    std::map<std::uintptr_t, std::size_t> by_address_;
    std::set<std::pair<std::size_t, std::uintptr_t>> by_size_;
  };

  [[nodiscard]] std::optional<ByteRange> TakeHole(std::size_t size, std::size_t alignment);
  [[nodiscard]] bool AddExtent(std::size_t at_least);
  void AddHole(ByteRange range);

  mutable std::mutex mutex_;  // guards all below
  std::vector<ByteRange> extents_;
  Holes holes_;
};

}  // namespace belay::runtime
