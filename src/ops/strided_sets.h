// Sets of numbers {stride_0 * i_0 + stride_1 * i_1 + ..}, each i_k in [0, size_k): what the offsets
// of a strided tensor's elements are. Whether two such sets meet is a hard question in general
// (bounded integer programming) and an easy one for the strides that tensors have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/export.h"

namespace belay::ops {

class StridedSet {
 public:
  static constexpr std::size_t kMaxTerms = 8;

  /// A dimension of one index adds nothing.
  void Add(std::uint64_t stride, std::uint64_t size) noexcept {
    if (size == 1) return;
    terms_[count_++] = {static_cast<std::int64_t>(stride), static_cast<std::int64_t>(size)};
  }

  /// Whether different indices give numbers that are at least `width` apart. No, where it is too
  /// hard to tell.
  [[nodiscard]] BELAY_EXPORT bool AreApart(std::uint64_t width) const noexcept;

  struct Term {
    std::int64_t stride;
    std::int64_t size;
    friend bool operator==(const Term&, const Term&) = default;
  };
  [[nodiscard]] const Term* begin() const noexcept { return terms_.data(); }
  [[nodiscard]] const Term* end() const noexcept { return terms_.data() + count_; }

 private:
  std::array<Term, kMaxTerms> terms_{};
  std::size_t count_ = 0;
};

/// Whether some [x, x + a_width) meets some [distance + y, distance + y + b_width), x of a and y of
/// b. Yes, where it is too hard to tell.
[[nodiscard]] BELAY_EXPORT bool Meet(const StridedSet& a, std::uint64_t a_width,
                                     const StridedSet& b, std::uint64_t b_width,
                                     std::int64_t distance) noexcept;

}  // namespace belay::ops
