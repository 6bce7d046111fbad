// The objects of the aclnn API: tensors, scalars, arrays and lists. A program knows them by handle.
//
// They are descriptions: none owns device memory. Objects are not locked; a program does not change
// one while another thread uses it.
// Source: aclnn API, creation and destruction.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/export.h"
#include "base/tensor_view.h"
#include "runtime/handle_table.h"
#include "runtime/op_executor.h"

namespace belay::runtime {

/// A view of some storage. Shapes of any length and any numbers are kept as they came; operators
/// judge them.
class OpTensor {
 public:
  struct Description {
    std::vector<std::int64_t> view_dims;
    std::vector<std::int64_t> strides;  // as many as view_dims, in elements
    std::vector<std::int64_t> storage_dims;
    std::int64_t offset = 0;  // of the first element of the view in the storage, in elements
    DataType dtype = DataType::kUndefined;
    Format format = Format::kUndefined;
    void* storage = nullptr;  // may be set later
  };

  explicit OpTensor(Description description) noexcept { Describe(std::move(description)); }

  BELAY_EXPORT void Describe(Description description) noexcept;
  [[nodiscard]] const Description& description() const noexcept { return description_; }
  void SetStorage(void* address) noexcept { description_.storage = address; }

  /// What operators are told.
  [[nodiscard]] const TensorView& view() const noexcept { return view_; }
  /// From the storage to the view's first element.
  [[nodiscard]] std::int64_t offset_bytes() const noexcept { return offset_bytes_; }

  std::atomic<bool> is_listed{false};  // a list owns it

 private:
  Description description_;
  TensorView view_;
  std::int64_t offset_bytes_ = 0;
};

/// One value of a type, as bytes.
struct OpScalar {
  static constexpr std::size_t kMaxBytes = 16;

  DataType dtype = DataType::kUndefined;
  alignas(16) std::array<std::byte, kMaxBytes> value{};
  std::atomic<bool> is_listed{false};
};

template <class T>
struct OpArray {
  explicit OpArray(std::span<const T> given) : values(given.begin(), given.end()) {}
  std::vector<T> values;
};

/// Owns its elements, which are tensors or scalars, by handle; null elements are kept.
struct OpList {
  explicit OpList(std::span<const void* const> given) : elements(given.begin(), given.end()) {}
  std::vector<const void*> elements;
};

/// All of them in the process.
struct OpObjects {
  /// Of what operators take as arguments.
  Watch arguments;
  HandleTable<OpTensor> tensors{HandleKind::kTensor, &arguments};
  HandleTable<OpScalar> scalars{HandleKind::kScalar, &arguments};
  HandleTable<OpArray<std::int64_t>> int_arrays{HandleKind::kIntArray, &arguments};
  HandleTable<OpArray<float>> float_arrays{HandleKind::kFloatArray};
  HandleTable<OpArray<std::uint8_t>> bool_arrays{HandleKind::kBoolArray};
  HandleTable<OpList> tensor_lists{HandleKind::kTensorList};
  HandleTable<OpList> scalar_lists{HandleKind::kScalarList};
  HandleTable<OpExecutor> executors{HandleKind::kOpExecutor};
};

}  // namespace belay::runtime
