// Address space for the blocks of one device, or for page-locked host memory.
//
// Extents are mapped from the system and never unmapped, so an address that once was device memory
// can never turn up as ordinary host memory: telling a dangling device pointer from a host pointer
// is a look at the extents. They ask for huge pages, since memory that is touched for the first
// time in small ones is up to fifty times slower.
// Memory of freed blocks is kept for the next ones, up to a limit, and given back on Trim.
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
  /// Blocks of at least this size start on a huge page.
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  /// How much memory of freed blocks is kept.
  static constexpr std::size_t kKeepLimit = std::size_t{1} << 30;

  explicit Heap(std::size_t keep_limit = kKeepLimit) noexcept : keep_limit_(keep_limit) {}
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// What a block of `size` bytes takes; nothing when that overflows.
  [[nodiscard]] static std::optional<std::size_t> Footprint(std::size_t size) noexcept;

  // Both give memory for `size` bytes, contents undefined, or nothing, and may throw
  // std::bad_alloc; then nothing has changed.
  /// From the memory that was kept.
  [[nodiscard]] std::optional<ByteRange> AllocateKept(std::size_t size);
  /// From memory that the system has to provide; nothing when it has no address space.
  [[nodiscard]] std::optional<ByteRange> AllocateFresh(std::size_t size);

  /// Takes back a block. True: it is kept. False: its memory went back to the system.
  bool Free(ByteRange range) noexcept;

  /// Gives all that was kept back to the system; returns how many bytes.
  std::size_t Trim() noexcept;

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
    [[nodiscard]] std::optional<ByteRange> First() const noexcept;

   private:
    std::map<std::uintptr_t, std::size_t> by_address_;
    std::set<std::pair<std::size_t, std::uintptr_t>> by_size_;
  };

  [[nodiscard]] static std::optional<ByteRange> TakeHole(Holes& holes, std::size_t size,
                                                         std::size_t alignment);
  static void AddHole(Holes& holes, ByteRange range);
  [[nodiscard]] bool AddExtent(std::size_t at_least);

  const std::size_t keep_limit_;
  mutable std::mutex mutex_;  // guards all below
  std::vector<ByteRange> extents_;
  Holes kept_;   // with memory behind them
  Holes fresh_;  // without
  std::size_t kept_bytes_ = 0;
};

}  // namespace belay::runtime
