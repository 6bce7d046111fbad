#include "kernels/tile.h"

#include <algorithm>

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tile.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

#include "kernels/tile_run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

// What is written past the caches, and how.
enum class Streamed : std::uint8_t { kNothing, kRows, kFills };

// Writes any part of the result. A region is all repeats of a level, a block one of them; the block
// of the last level is a row, that of another level as many regions of the next one as its size.
class Writer {
 public:
  Writer(const Tiling& tiling, Streamed streamed)
      : tiling_(tiling), last_(tiling.rank - 1), streamed_(streamed) {
    src_bytes_[last_] = tiling.sizes[last_];
    block_bytes_[last_] = tiling.sizes[last_];
    for (std::size_t i = last_; i-- > 0;) {
      src_bytes_[i] = tiling.sizes[i] * src_bytes_[i + 1];
      block_bytes_[i] = tiling.sizes[i] * RegionBytes(i + 1);
    }
  }

  [[nodiscard]] std::uint64_t RegionBytes(std::size_t level) const {
    return tiling_.repeats[level] * block_bytes_[level];
  }

  void WriteAll(Byte* dst, const Byte* src) const { WriteBlocks(0, dst, src, tiling_.repeats[0]); }

  // Bytes [begin, end) of the region of a level whose source is at `src`; `dst` is where the first
  // of them goes.
  void WriteRegion(std::size_t level, Byte* dst, const Byte* src, std::uint64_t begin,
                   std::uint64_t end) const {
    const std::uint64_t block = block_bytes_[level];
    std::uint64_t left = end - begin;
    std::uint64_t in_block = begin == 0 ? 0 : begin % block;
    while (left != 0) {
      std::uint64_t bytes = 0;
      if (in_block == 0 && left >= block) {
        const std::uint64_t blocks = left / block;
        WriteBlocks(level, dst, src, blocks);
        bytes = blocks * block;
      } else {
        bytes = std::min(block - in_block, left);
        WritePart(level, dst, src, in_block, in_block + bytes);
      }
      dst += bytes;
      left -= bytes;
      in_block = 0;
    }
  }

 private:
  void Write(Byte* dst, const Byte* src, const Runs& runs) const {
    if (streamed_ == Streamed::kFills) return StreamFills(dst, src, runs);
    if (streamed_ == Streamed::kNothing) return WriteRuns(dst, src, runs);
    WriteEachRow(dst, src, runs, [bytes = runs.row_bytes](Byte* to, const Byte* from) HWY_ATTR {
      CopyStreaming(to, from, bytes);
    });
  }

  // So many repeats of a block.
  void WriteBlocks(std::size_t level, Byte* dst, const Byte* src, std::uint64_t blocks) const {
    if (level == last_) return Write(dst, src, {1, block_bytes_[level], blocks});
    const std::uint64_t block = block_bytes_[level];
    WriteRegions(level + 1, dst, src, tiling_.sizes[level]);
    if (blocks == 1) return;
    if (streamed_ == Streamed::kNothing && block <= kCopyBlockBytes) {
      return WriteRuns(dst + block, dst, {1, block, blocks - 1});
    }
    for (std::uint64_t i = 1; i < blocks; ++i) {
      WriteRegions(level + 1, dst + i * block, src, tiling_.sizes[level]);
    }
  }

  // So many successive regions.
  void WriteRegions(std::size_t level, Byte* dst, const Byte* src, std::uint64_t count) const {
    if (level == last_) return Write(dst, src, {count, src_bytes_[level], tiling_.repeats[level]});
    const std::uint64_t region = RegionBytes(level);
    for (std::uint64_t i = 0; i < count; ++i) {
      WriteBlocks(level, dst + i * region, src + i * src_bytes_[level], tiling_.repeats[level]);
    }
  }

  // Bytes [begin, end) of a block; `dst` is where the first of them goes.
  void WritePart(std::size_t level, Byte* dst, const Byte* src, std::uint64_t begin,
                 std::uint64_t end) const {
    if (level == last_) return CopyCached(dst, src + begin, end - begin);
    const std::uint64_t region = RegionBytes(level + 1);
    std::uint64_t i = begin / region;
    std::uint64_t in_region = begin % region;
    std::uint64_t left = end - begin;
    while (left != 0) {
      const Byte* const from = src + i * src_bytes_[level + 1];
      std::uint64_t bytes = 0;
      if (in_region == 0 && left >= region) {
        const std::uint64_t count = left / region;
        WriteRegions(level + 1, dst, from, count);
        bytes = count * region;
        i += count;
      } else {
        bytes = std::min(region - in_region, left);
        WriteRegion(level + 1, dst, from, in_region, in_region + bytes);
        ++i;
      }
      dst += bytes;
      left -= bytes;
      in_region = 0;
    }
  }

  const Tiling& tiling_;
  const std::size_t last_;
  const Streamed streamed_;
  Tiling::Sizes src_bytes_;    // of a block of each level, in the source
  Tiling::Sizes block_bytes_;  // and in the result
};

// The whole result is region 0.
void TileResult(const Tiling& tiling, const Byte* src, Byte* dst, std::uint64_t begin,
                std::uint64_t end, Writing writing) {
  dst += begin;
  if (writing != Writing::kStreaming) {
    const Writer writer(tiling, Streamed::kNothing);
    if (end - begin == writer.RegionBytes(0)) return writer.WriteAll(dst, src);
    return writer.WriteRegion(0, dst, src, begin, end);
  }
  const std::uint64_t row_bytes = tiling.row_bytes();
  const std::uint64_t run_bytes = row_bytes * tiling.repeats[tiling.rank - 1];
  const bool rows_are_lines =
      ((reinterpret_cast<std::uintptr_t>(dst) - begin) | row_bytes) % kLineBytes == 0;
  if (RowsStream({run_bytes, row_bytes, rows_are_lines})) {
    Writer(tiling, Streamed::kRows).WriteRegion(0, dst, src, begin, end);
  } else if (TakesBroadcast(row_bytes) && run_bytes >= kStreamRowBytes) {
    Writer(tiling, Streamed::kFills).WriteRegion(0, dst, src, begin, end);
  } else {
    // Small parts are put together in the first-level cache.
    alignas(kLineBytes) Byte stage[kStageBytes];
    const Writer writer(tiling, Streamed::kNothing);
    while (begin != end) {
      // Up to the end of a line, so that each line is written by one streaming store.
      const std::uint64_t off_line = reinterpret_cast<std::uintptr_t>(dst) % kLineBytes;
      const std::uint64_t bytes = std::min(kStageBytes - off_line, end - begin);
      writer.WriteRegion(0, stage, src, begin, begin + bytes);
      CopyStreaming(dst, stage, bytes);
      dst += bytes;
      begin += bytes;
    }
  }
  hwy::FlushStream();
}

void TileWide(const Tiling& tiling, const Byte* src, Byte* dst, std::uint64_t begin,
              std::uint64_t end, Writing writing) {
  const std::uint64_t row_bytes = tiling.row_bytes();
  const std::uint64_t repeats = tiling.repeats[tiling.rank - 1];
  while (begin != end) {
    const std::uint64_t row = begin / row_bytes;
    const std::uint64_t in_row = begin % row_bytes;
    const std::uint64_t bytes = std::min({kWidePieceBytes, row_bytes - in_row, end - begin});
    Byte* to = dst + row * row_bytes * repeats + in_row;
    for (std::uint64_t i = 0; i < repeats; ++i, to += row_bytes) {
      CopyAs(writing, to, src + begin, bytes);
    }
    begin += bytes;
  }
  if (writing == Writing::kStreaming) hwy::FlushStream();
}

void Tile(const Tiling& tiling, const Byte* src, Byte* dst, std::uint64_t begin, std::uint64_t end,
          Writing writing) {
  if (begin == end) return;
  if (IsWide(tiling)) return TileWide(tiling, src, dst, begin, end, writing);
  TileResult(tiling, src, dst, begin, end, writing);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(Tile);

}  // namespace

Tiling Merged(const Tiling& tiling) noexcept {
  Tiling merged;
  for (std::size_t i = 0; i < tiling.rank; ++i) {
    const std::uint64_t size = tiling.sizes[i];
    const std::uint64_t repeats = tiling.repeats[i];
    const std::size_t outer = merged.rank - 1;
    if (merged.rank != 0 && repeats == 1) {
      merged.sizes[outer] *= size;
    } else if (merged.rank != 0 && merged.sizes[outer] == 1) {
      merged.sizes[outer] = size;
      merged.repeats[outer] *= repeats;
    } else {
      merged.sizes[merged.rank] = size;
      merged.repeats[merged.rank] = repeats;
      ++merged.rank;
    }
  }
  return merged;
}

bool IsWide(const Tiling& tiling) noexcept {
  const bool outer_is_plain = tiling.rank == 1 || (tiling.rank == 2 && tiling.repeats[0] == 1);
  return outer_is_plain && tiling.row_bytes() >= kWideRowBytes;
}

std::uint64_t WorkBytes(const Tiling& tiling) noexcept {
  const std::uint64_t result = tiling.TotalBytes();
  return IsWide(tiling) ? result / tiling.repeats[tiling.rank - 1] : result;
}

Writing WritingOf(const Tiling& tiling, unsigned threads) noexcept {
  const std::uint64_t total = tiling.TotalBytes();
  for (std::size_t i = 0; i < tiling.rank; ++i) {
    if (tiling.repeats[i] != 1) return WritingOfFill(total, threads);
  }
  return WritingOfCopy({total, total});
}

void Tile(const Tiling& tiling, const std::byte* src, std::byte* dst, std::uint64_t begin,
          std::uint64_t end, Writing writing) {
  HWY_DYNAMIC_DISPATCH(Tile)
  (tiling, reinterpret_cast<const std::uint8_t*>(src), reinterpret_cast<std::uint8_t*>(dst), begin,
   end, writing);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
