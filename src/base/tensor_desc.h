// What an operator is told about a tensor: type, format and shape, never an address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/data_type.h"
#include "base/export.h"

namespace belay {

/// A shape of at most 8 dimensions. A face may hand over any count and any numbers; `rank` above
/// kMaxRank is refused before `sizes` is looked at.
struct Dims {
  static constexpr std::size_t kMaxRank = 8;

  std::array<std::int64_t, kMaxRank> sizes{};
  std::uint64_t rank = 0;

  [[nodiscard]] std::int64_t operator[](std::size_t i) const noexcept { return sizes[i]; }
  [[nodiscard]] std::span<const std::int64_t> span() const noexcept {
    return {sizes.data(), static_cast<std::size_t>(rank)};
  }
  friend bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.rank != b.rank) return false;
    for (std::size_t i = 0; i < a.rank; ++i) {
      if (a.sizes[i] != b.sizes[i]) return false;
    }
    return true;
  }
};

struct TensorDesc {
  DataType dtype = DataType::kUndefined;
  Format format = Format::kUndefined;
  Dims dims;
};

/// "[2, 3]"; nothing when there is no memory for it.
BELAY_EXPORT std::string Describe(const Dims& dims) noexcept;

}  // namespace belay
