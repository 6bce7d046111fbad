// The head of .npy files with 64-bit integers: enough of NumPy's format to find the words, and no
// trust in what a file says.
//
// Source: NumPy, format description of .npy, versions 1.0 to 3.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace belay::cli {

/// The most that the head of a file may take; NumPy writes 128 bytes for an array.
inline constexpr std::size_t kMaxNpyHeadBytes = std::size_t{1} << 16;

/// Whether a file that starts with these bytes calls itself .npy.
bool IsNpy(std::string_view file) noexcept;

struct NpyHead {
  std::vector<std::uint64_t> shape;  // none for a scalar
  bool fortran_order = false;        // the first index runs fastest
  std::uint64_t count = 1;           // product of the shape
  std::uint64_t data_offset = 0;     // where the elements begin
};

/// Reads the head of a file from its first bytes, of which the first kMaxNpyHeadBytes are enough.
/// Refuses other element types than little-endian int64 and uint64, and everything malformed.
StatusOr<NpyHead> ParseNpyHead(std::string_view file);

}  // namespace belay::cli
