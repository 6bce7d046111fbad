#include "kernels/saturate.h"

#include <cstdint>
#include <cstring>

namespace belay::kernels {
namespace {

// Simple enough for the compiler to make vectors of it.
void SaturateRow(std::uint16_t infinity, std::byte* row, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, row + i * sizeof(bits), sizeof(bits));
    // The largest finite value stands just before infinity.
    bits = static_cast<std::uint16_t>(bits - ((bits & 0x7FFF) == infinity ? 1 : 0));
    std::memcpy(row + i * sizeof(bits), &bits, sizeof(bits));
  }
}

template <class Index>
void SaturateNamedRows(std::uint16_t infinity, const IndexedRows& rows, std::size_t slices) {
  const std::size_t row_bytes = rows.width * sizeof(std::uint16_t);
  for (std::size_t slice = 0; slice < slices; ++slice) {
    std::byte* const target = rows.target + slice * rows.rows * row_bytes;
    for (std::size_t k = 0; k < rows.count; ++k) {
      SaturateRow(infinity, target + RowAt<Index>(rows, k) * row_bytes, rows.width);
    }
  }
}

}  // namespace

void SaturateRows(HalfFormat format, const IndexedRows& rows, std::size_t slices) {
  constexpr std::uint16_t kFp16Infinity = 0x7C00;
  constexpr std::uint16_t kBf16Infinity = 0x7F80;
  const std::uint16_t infinity = format == HalfFormat::kFp16 ? kFp16Infinity : kBf16Infinity;
  if (rows.wide) {
    SaturateNamedRows<std::int64_t>(infinity, rows, slices);
  } else {
    SaturateNamedRows<std::int32_t>(infinity, rows, slices);
  }
}

}  // namespace belay::kernels
