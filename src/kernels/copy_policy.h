// How a copy writes its destination, and from which size on threads share it. Every threshold of
// the copying kernels is here, with the measurement that chose it.
//
// Measured on a Sapphire Rapids core (48 KiB L1, 2 MiB L2, a large L3 shared with strangers), GB/s
// of bytes written, steady state:
//
//   copy of   16 KiB  256 KiB  1 MiB  2 MiB  8 MiB  256 MiB     write from a source in L1:
//   cached       160       38     24     14     14    3 to 7     1 MiB 45, 4 MiB 26, 64 MiB 7 to 9
//   streaming     20       21     21     19     17   10 to 12    1 MiB 24, 4 MiB 24, 64 MiB 23
//
// A cached write fetches each line before it replaces it. Once the destination is larger than what
// a core keeps in its own caches, that is a third of the traffic for nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"

namespace belay::kernels {

enum class Writing : std::uint8_t {
  kCached,     // vector stores
  kString,     // rep movsb, where the processor is quick at it; else as kCached
  kStreaming,  // past the caches, a line at a time
};

inline constexpr std::uint64_t kLineBytes = 64;

/// A copy of this size streams: source and destination together exceed L2 by far (see above).
inline constexpr std::uint64_t kStreamCopyBytes = std::uint64_t{2} << 20;

/// Repeating a source that stays in the caches streams above this size. Between 4 and 32 MiB cached
/// stores are at best 10 % faster, and down to a fifth as fast when the L3's other users have taken
/// their share.
inline constexpr std::uint64_t kStreamFillBytes = std::uint64_t{4} << 20;
/// The same where threads share the work: pieces of it meet another core's L2 each time. Two
/// threads write 4 MiB in 130 us cached and in 90 streaming; one does in 160 and 174.
inline constexpr std::uint64_t kSharedStreamFillBytes = std::uint64_t{3} << 20;

/// A row streams from this size on. Its two ends share their lines with neighbours and are written
/// cached: rows of 1 KiB off the lines take 10 ms for 16 MiB either way, rows of 4 KiB 2.0 against
/// 6.5 ms. Rows that begin and end with a line need no such length.
inline constexpr std::uint64_t kStreamRowBytes = 4096;
inline constexpr std::uint64_t kStreamLineRowBytes = 4 * kLineBytes;

/// Rows from this size on go by rep movsb while they fit into L2: 13 rows of 64 KiB take 22.8 us
/// against 25.3 with vectors, of 16 KiB 5.36 against 5.44. Rows of 4 KiB lose.
inline constexpr std::uint64_t kStringRowBytes = std::uint64_t{16} << 10;

/// Repeating. A block up to this size, just written and still in L1, is the source of its repeats.
inline constexpr std::uint64_t kCopyBlockBytes = std::uint64_t{16} << 10;
/// Parts too small to stream are put together in L1 first, so many bytes at a time.
inline constexpr std::uint64_t kStageBytes = std::uint64_t{8} << 10;
/// Rows from this size on do not stay in L2 while they are repeated; they go in pieces that do.
inline constexpr std::uint64_t kWideRowBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kWidePieceBytes = std::uint64_t{256} << 10;

/// Cached repeats of what is in registers wait for the lines that they replace. From a size on that
/// does not stay in L1, those are fetched for writing so far ahead: 512 rows of 256 bytes, 16 times
/// each, take 54 instead of 61 us, a fill of 2 MiB 49 instead of 55; 1 to 8 KiB ahead are equally
/// good. 16 KiB, in L1, would take 0.01 us longer.
inline constexpr std::uint64_t kPrefetchAheadBytes = 1024;
inline constexpr std::uint64_t kPrefetchFromBytes = std::uint64_t{64} << 10;

/// Whether rep movsb is quick here.
BELAY_EXPORT bool HasQuickStringCopy() noexcept;

/// The bytes that a copy or a repetition writes, as rows of equal size.
struct Written {
  std::uint64_t total_bytes = 0;
  std::uint64_t row_bytes = 0;
  bool rows_are_lines = false;  // each row begins and ends where a line does
};

[[nodiscard]] constexpr bool RowsStream(const Written& written) noexcept {
  return written.row_bytes >= (written.rows_are_lines ? kStreamLineRowBytes : kStreamRowBytes);
}

/// For a copy that reads as many bytes as it writes.
[[nodiscard]] inline Writing WritingOfCopy(const Written& written) noexcept {
  if (written.total_bytes >= kStreamCopyBytes && RowsStream(written)) return Writing::kStreaming;
  if (written.row_bytes >= kStringRowBytes && HasQuickStringCopy()) return Writing::kString;
  return Writing::kCached;
}

/// For a repetition of what is small.
[[nodiscard]] constexpr Writing WritingOfFill(std::uint64_t total_bytes,
                                              unsigned threads) noexcept {
  const std::uint64_t most = threads == 1 ? kStreamFillBytes : kSharedStreamFillBytes;
  return total_bytes > most ? Writing::kStreaming : Writing::kCached;
}

}  // namespace belay::kernels
