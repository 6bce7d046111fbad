// A stretch of addresses, [begin, begin + size), that never wraps past the end of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/checked_math.h"

namespace belay {

struct ByteRange {
  std::uintptr_t begin = 0;
  std::size_t size = 0;

  [[nodiscard]] constexpr std::uintptr_t end() const noexcept { return begin + size; }
  [[nodiscard]] constexpr bool Contains(std::uintptr_t address) const noexcept {
    return address >= begin && address - begin < size;
  }
  [[nodiscard]] constexpr bool Contains(ByteRange inner) const noexcept {
    return inner.begin >= begin && inner.size <= size && inner.begin - begin <= size - inner.size;
  }
  [[nodiscard]] constexpr bool Overlaps(ByteRange other) const noexcept {
    return size != 0 && other.size != 0 && begin < other.end() && other.begin < end();
  }

  /// The range at a caller's pointer; nothing when its end would wrap.
  [[nodiscard]] static std::optional<ByteRange> At(const void* address, std::size_t size) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    if (!CheckedAdd(begin, std::uintptr_t{size})) return std::nullopt;
    return ByteRange{begin, size};
  }
};

}  // namespace belay
