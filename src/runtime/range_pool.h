// Free stretches of a space: addresses, or places in a file. Neighbours are merged.
//
// Whoever owns a pool locks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/byte_range.h"
#include "base/export.h"

namespace belay::runtime {

/// Every member that may throw std::bad_alloc then has changed nothing.
class BELAY_EXPORT RangePool {
 public:
  /// Adds a stretch that overlaps none of the pool's.
  void Give(ByteRange range);
  /// The lowest free stretch that fits; `alignment` is a power of two.
  [[nodiscard]] std::optional<ByteRange> Take(std::size_t size, std::size_t alignment);
  /// This very stretch; false when not all of it is free.
  [[nodiscard]] bool TakeExactly(ByteRange range);

 private:
  using Free = std::map<std::uintptr_t, std::size_t>;
  void Carve(Free::iterator hole, ByteRange taken);

  Free free_;
};

}  // namespace belay::runtime
