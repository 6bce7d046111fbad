#include "kernels/copy_nd.h"

#include <algorithm>

#include "kernels/box_walk.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/copy_nd.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

#include "kernels/move-inl.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

// Equally spaced rows.
struct Rows {
  std::uint64_t bytes;
  std::uint64_t dst_stride;
  std::uint64_t src_stride;
};

template <class CopyRow>
HWY_INLINE void CopyEach(const Rows& rows, Byte* dst, const Byte* src, std::uint64_t count,
                         const CopyRow& copy_row) {
  for (; count != 0; --count, dst += rows.dst_stride, src += rows.src_stride) copy_row(dst, src);
}

HWY_INLINE void CopyRows(const Rows& rows, Byte* dst, const Byte* src, std::uint64_t count,
                         Writing writing) {
  const std::size_t bytes = rows.bytes;
  const auto each = [&](auto copy_row) HWY_ATTR { CopyEach(rows, dst, src, count, copy_row); };
  if (writing != Writing::kCached) {
    each([=](Byte* to, const Byte* from) HWY_ATTR { CopyAs(writing, to, from, bytes); });
  } else if (bytes < hn::Lanes(Vectors())) {
    WithCopyBelowVector(bytes, each);
  } else {
    each([=](Byte* to, const Byte* from) HWY_ATTR { CopyVectors(to, from, bytes); });
  }
}

void CopyNd(const Box& box, const Byte* src, Byte* dst, std::uint64_t begin, std::uint64_t end,
            Writing writing) {
  if (begin == end) return;
  const bool from_start = begin == 0;
  BoxWalk<Box> walk(box, 0, box.rank, dst, src, from_start ? 0 : begin / box.row_bytes);
  std::uint64_t left = end - begin;
  if (const std::uint64_t in_row = from_start ? 0 : begin % box.row_bytes; in_row != 0) {
    const std::uint64_t bytes = std::min(box.row_bytes - in_row, left);
    CopyAs(writing, walk.dst() + in_row, walk.src() + in_row, bytes);
    walk.Advance(1);
    left -= bytes;
  }
  Rows rows{box.row_bytes, 0, 0};
  if (box.rank != 0) {
    rows.dst_stride = box.dst_stride_bytes[box.rank - 1];
    rows.src_stride = box.src_stride_bytes[box.rank - 1];
  }
  while (left >= box.row_bytes) {
    const std::uint64_t ahead = walk.Ahead();
    const std::uint64_t count = ahead * box.row_bytes <= left ? ahead : left / box.row_bytes;
    CopyRows(rows, walk.dst(), walk.src(), count, writing);
    left -= count * box.row_bytes;
    if (left != 0) walk.Advance(count);
  }
  if (left != 0) CopyAs(writing, walk.dst(), walk.src(), left);
  if (writing == Writing::kStreaming) hwy::FlushStream();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(CopyNd);

}  // namespace

Box Merged(const Box& box) noexcept {
  Box merged;
  merged.row_bytes = box.row_bytes;
  // From the innermost dimension outwards, so `merged` is filled from its end.
  std::size_t at = Box::kMaxRank;
  for (std::size_t i = box.rank; i-- > 0;) {
    if (box.sizes[i] == 1) continue;
    const auto follows = [&](std::uint64_t bytes_dst, std::uint64_t bytes_src) {
      return box.dst_stride_bytes[i] == bytes_dst && box.src_stride_bytes[i] == bytes_src;
    };
    if (at == Box::kMaxRank && follows(merged.row_bytes, merged.row_bytes)) {
      merged.row_bytes *= box.sizes[i];
    } else if (at != Box::kMaxRank && follows(merged.dst_stride_bytes[at] * merged.sizes[at],
                                              merged.src_stride_bytes[at] * merged.sizes[at])) {
      merged.sizes[at] *= box.sizes[i];
    } else {
      --at;
      merged.sizes[at] = box.sizes[i];
      merged.dst_stride_bytes[at] = box.dst_stride_bytes[i];
      merged.src_stride_bytes[at] = box.src_stride_bytes[i];
    }
  }
  for (; at < Box::kMaxRank; ++at, ++merged.rank) {
    merged.sizes[merged.rank] = merged.sizes[at];
    merged.dst_stride_bytes[merged.rank] = merged.dst_stride_bytes[at];
    merged.src_stride_bytes[merged.rank] = merged.src_stride_bytes[at];
  }
  return merged;
}

Writing WritingOf(const Box& box, const std::byte* dst) noexcept {
  std::uint64_t starts = reinterpret_cast<std::uintptr_t>(dst) | box.row_bytes;
  for (std::size_t i = 0; i < box.rank; ++i) starts |= box.dst_stride_bytes[i];
  return WritingOfCopy({box.TotalBytes(), box.row_bytes, starts % kLineBytes == 0});
}

void CopyNd(const Box& box, const std::byte* src, std::byte* dst, std::uint64_t begin,
            std::uint64_t end, Writing writing) {
  HWY_DYNAMIC_DISPATCH(CopyNd)
  (box, reinterpret_cast<const std::uint8_t*>(src), reinterpret_cast<std::uint8_t*>(dst), begin,
   end, writing);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
