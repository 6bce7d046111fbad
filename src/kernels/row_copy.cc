#include "kernels/row_copy.h"

#include <cstdint>
#include <cstring>

namespace belay::kernels {
namespace {

template <std::size_t kBytes>
struct Fixed {
  void operator()(std::byte* target, const std::byte* source) const {
    std::memcpy(target, source, kBytes);
  }
};

struct Any {
  std::size_t bytes;
  void operator()(std::byte* target, const std::byte* source) const {
    std::memcpy(target, source, bytes);
  }
};

template <class Copy>
void CopyRows(const IndexedRows& indexed, std::size_t item_bytes, const IndexedPart& part,
              const Copy& copy) {
  if (indexed.wide) {
    ForEachIndexedRow<std::int64_t>(indexed, part, item_bytes, copy);
  } else {
    ForEachIndexedRow<std::int32_t>(indexed, part, item_bytes, copy);
  }
}

}  // namespace

void RowCopy(const IndexedRows& indexed, std::size_t item_bytes, const IndexedPart& part) {
  const std::size_t bytes = (part.column_end - part.column_begin) * item_bytes;
  switch (bytes) {
    case 1:
      return CopyRows(indexed, item_bytes, part, Fixed<1>());
    case 2:
      return CopyRows(indexed, item_bytes, part, Fixed<2>());
    case 4:
      return CopyRows(indexed, item_bytes, part, Fixed<4>());
    case 8:
      return CopyRows(indexed, item_bytes, part, Fixed<8>());
    case 16:
      return CopyRows(indexed, item_bytes, part, Fixed<16>());
    default:
      return CopyRows(indexed, item_bytes, part, Any{bytes});
  }
}

}  // namespace belay::kernels
