#include "kernels/copy_nd.h"

#include <cstring>

namespace belay::kernels {

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

void CopyNd(const Box& box, const std::byte* src, std::byte* dst, std::uint64_t begin,
            std::uint64_t end) {
  for (std::uint64_t row = begin; row < end; ++row) {
    std::uint64_t rest = row;
    std::uint64_t dst_at = 0;
    std::uint64_t src_at = 0;
    for (std::size_t i = box.rank; i-- > 0;) {
      const std::uint64_t index = rest % box.sizes[i];
      rest /= box.sizes[i];
      dst_at += index * box.dst_stride_bytes[i];
      src_at += index * box.src_stride_bytes[i];
    }
    std::memcpy(dst + dst_at, src + src_at, box.row_bytes);
  }
}

}  // namespace belay::kernels
