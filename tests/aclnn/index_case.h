// IndexAdd and IndexCopy as programs call them, on tensors of any strides, and what comes of it by
// plain loops over single elements. Shares no code with the library but the reference of 16-bit
// floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "support/api_test_support.h"

namespace belay::test {

using Shape = std::vector<std::int64_t>;

/// An element's bytes, then zeros.
using Item = std::array<std::uint8_t, 16>;

std::size_t ItemBytesOf(aclDataType type);

/// A tensor as a test describes it: a view of some storage.
struct View {
  aclDataType type = ACL_FLOAT;
  Shape dims;
  Shape strides;  // in elements
  std::int64_t offset = 0;
  Bytes storage;
  aclFormat format = ACL_FORMAT_ND;

  [[nodiscard]] std::int64_t Count() const;
  /// Where the element lies in the storage, in bytes.
  [[nodiscard]] std::size_t Position(const Shape& index) const;
  [[nodiscard]] Item Element(const Shape& index) const;
  /// For tensors that address less than their storage has: how many elements it takes.
  [[nodiscard]] std::int64_t Extent() const;
};

/// Without gaps; the storage is filled with zeros.
View Contiguous(aclDataType type, const Shape& dims);
template <class T>
View Contiguous(aclDataType type, const Shape& dims, const std::vector<T>& values) {
  View view = Contiguous(type, dims);
  EXPECT_EQ(values.size() * sizeof(T), view.storage.size());
  if (!values.empty()) std::memcpy(view.storage.data(), values.data(), view.storage.size());
  return view;
}
template <class T>
std::vector<T> ValuesOf(const Bytes& storage) {
  std::vector<T> values(storage.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), storage.data(), storage.size());
  return values;
}

/// Calls visit(index) for each index of the shape, the last dimension moving fastest.
void ForEachIndex(const Shape& dims, const std::function<void(const Shape&)>& visit);

struct Alpha {
  aclDataType type = ACL_INT64;
  Bytes bytes = {1, 0, 0, 0, 0, 0, 0, 0};
  long double value = 1;

  template <class T>
  static Alpha Of(aclDataType type, T value) {
    Alpha alpha{type, Bytes(sizeof(T)), static_cast<long double>(value)};
    std::memcpy(alpha.bytes.data(), &value, sizeof(T));
    return alpha;
  }
};

enum class IndexOp : std::uint8_t { kAdd, kAddV2, kCopy, kInplaceCopy };

/// One call. A tensor that is "the same" is the very object that is written.
struct IndexCase {
  IndexOp op = IndexOp::kAdd;
  std::int64_t dim = 0;
  View self;
  View index;
  View source;
  View out;  // not used in place
  Alpha alpha;
  std::int64_t mode = 0;
  bool self_is_out = false;
  bool source_is_out = false;
  bool index_is_out = false;
};

struct IndexResult {
  aclnnStatus phase_one = 0;
  aclnnStatus phase_two = 0;
  aclError wait = 0;
  uint64_t workspace_size = 0;
  Bytes out;  // the storage of the tensor that is written, afterwards
  bool inputs_unchanged = false;
};

/// Both phases on the default stream and a wait for it. Stops at the first refusal; then the rest
/// is as it was.
IndexResult RunCall(const IndexCase& call);

/// Phase one alone; the executor that it may make is destroyed.
aclnnStatus PhaseOneOf(const IndexCase& call);

/// The storage of the written tensor after a call that passes. `deterministic`: V2 is IndexAdd.
Bytes Expected(const IndexCase& call, bool deterministic = false);

/// The values of an index tensor, whatever its type and strides.
std::vector<std::int64_t> IndicesOf(const View& index);

}  // namespace belay::test
