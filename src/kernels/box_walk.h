// Walks along the rows of a box, on both of its sides at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace belay::kernels {

/// A place in the dimensions [first, end) of a box: `AnyBox` has kMaxRank, sizes and the strides of
/// both sides.
template <class AnyBox>
class BoxWalk {
 public:
  using Byte = std::uint8_t;

  /// Place number `at`, the last dimension moving fastest.
  BoxWalk(const AnyBox& box, std::size_t first, std::size_t end, Byte* dst, const Byte* src,
          std::uint64_t at) noexcept
      : box_(box), first_(first), end_(end), dst_(dst), src_(src) {
    for (std::size_t i = end; i-- > first && at != 0;) {
      index_[i] = at % box.sizes[i];
      at /= box.sizes[i];
      dst_ += index_[i] * box.dst_stride_bytes[i];
      src_ += index_[i] * box.src_stride_bytes[i];
    }
  }

  [[nodiscard]] Byte* dst() const noexcept { return dst_; }
  [[nodiscard]] const Byte* src() const noexcept { return src_; }

  /// Places up to the end of the last dimension.
  [[nodiscard]] std::uint64_t Ahead() const noexcept {
    return first_ == end_ ? 1 : box_.sizes[end_ - 1] - index_[end_ - 1];
  }

  /// By at most Ahead(). From the last place on to the first.
  void Advance(std::uint64_t places) noexcept {
    for (std::size_t i = end_; i-- > first_; places = 1) {
      index_[i] += places;
      dst_ += places * box_.dst_stride_bytes[i];
      src_ += places * box_.src_stride_bytes[i];
      if (index_[i] < box_.sizes[i]) return;
      index_[i] = 0;
      dst_ -= box_.sizes[i] * box_.dst_stride_bytes[i];
      src_ -= box_.sizes[i] * box_.src_stride_bytes[i];
    }
  }

 private:
  const AnyBox& box_;
  std::size_t first_;
  std::size_t end_;
  Byte* dst_;
  const Byte* src_;
  std::array<std::uint64_t, AnyBox::kMaxRank> index_{};
};

}  // namespace belay::kernels
