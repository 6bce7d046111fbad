// Indices as a program gives them: int32 or int64, at any stride.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/export.h"

namespace belay::kernels {

struct IndexList {
  const std::byte* first = nullptr;
  bool wide = false;  // int64 instead of int32
  std::uint64_t stride_bytes = 0;
  std::uint64_t count = 0;

  [[nodiscard]] BELAY_EXPORT std::int64_t operator[](std::uint64_t k) const noexcept;
};

/// The position of the first index outside [0, limit]; none: all are within.
[[nodiscard]] BELAY_EXPORT std::optional<std::uint64_t> FindOutside(const IndexList& indices,
                                                                    std::int64_t limit) noexcept;

/// Writes the indices one after the other, as int32 (each fits) or int64.
BELAY_EXPORT void Gather(const IndexList& indices, bool as_wide, std::byte* to) noexcept;

}  // namespace belay::kernels
