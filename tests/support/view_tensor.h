// Tensors that are views, with memory of their own, for tests of operators over views. Places are
// found by plain loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/data_type.h"
#include "base/tensor_view.h"
#include "support/operator_run.h"

namespace belay::ops::testing {

using Shape = std::vector<std::int64_t>;

inline Profile AclnnWho(Behaviour behaviour, const char* soc = "Ascend910B4") {
  return {Face::kAclnn, FindChip(soc), behaviour};
}

/// A chip of each family stands for all of it.
template <class Visit>
void ForEachFamily(Behaviour behaviour, Visit visit) {
  for (int family = 0; family <= static_cast<int>(Family::kKirin9030); ++family) {
    for (const Chip& chip : AllChips()) {
      if (static_cast<int>(chip.family) != family) continue;
      SCOPED_TRACE(chip.soc_name);
      visit(std::string(FamilyName(chip.family)), Profile{Face::kAclnn, &chip, behaviour});
      break;
    }
  }
}

/// More than 8 dimensions are claimed and not written. No strides: no gaps.
inline TensorView View(DataType type, const Shape& shape, const Shape& strides = {}) {
  TensorView view{type, Format::kNd, Desc(type, shape).dims, {}};
  if (shape.size() > Dims::kMaxRank) return view;
  if (strides.empty()) return ContiguousView(type, view.dims);
  for (std::size_t i = 0; i < strides.size(); ++i) view.strides[i] = strides[i];
  return view;
}

inline std::size_t Count(const Shape& shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

/// The index of element `at` of a shape, the last dimension moving fastest.
inline Shape IndexOf(const Shape& shape, std::size_t at) {
  Shape index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[i]);
    index[i] = static_cast<std::int64_t>(at % size);
    at /= size;
  }
  return index;
}

/// A view that begins `offset` elements into its memory.
struct ViewTensor {
  DataType type = DataType::kFloat;
  Shape shape;
  Shape strides;
  std::size_t offset = 0;
  Bytes memory;

  /// A tensor without gaps; its content is bytes that differ.
  static ViewTensor Contiguous(DataType type, const Shape& shape, unsigned seed = 1) {
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return WithStrides(type, shape, strides, 0, seed);
  }
  static ViewTensor WithStrides(DataType type, const Shape& shape, const Shape& strides,
                                std::size_t offset = 0, unsigned seed = 1) {
    std::size_t items = offset + 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      items += static_cast<std::size_t>((shape[i] - 1) * strides[i]);
    }
    if (Count(shape) == 0) items = offset;
    ViewTensor tensor{type, shape, strides, offset, Bytes(items * ItemBytes(type))};
    std::uint32_t state = seed * 2654435761U + 12345U;
    for (std::byte& byte : tensor.memory) {
      state = state * 1664525U + 1013904223U;
      byte = static_cast<std::byte>(state >> 24);
    }
    return tensor;
  }

  [[nodiscard]] TensorView view() const { return View(type, shape, strides); }
  [[nodiscard]] std::size_t first() const { return offset * ItemBytes(type); }
  /// Where an element begins in the memory.
  [[nodiscard]] std::size_t PlaceOf(const Shape& index) const {
    std::size_t items = offset;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      items += static_cast<std::size_t>(index[i] * strides[i]);
    }
    return items * ItemBytes(type);
  }
  [[nodiscard]] std::byte* At(const Shape& index) { return memory.data() + PlaceOf(index); }
  [[nodiscard]] const std::byte* At(const Shape& index) const {
    return memory.data() + PlaceOf(index);
  }
};

/// Runs a plan of which the tensors are the first arguments, the last of them perhaps written, each
/// in memory between guards; what is in the tensors afterwards. Empty memory: a guard was written.
inline std::vector<Bytes> RunOn(const Plan& plan, const std::vector<const ViewTensor*>& tensors) {
  std::vector<Memory> memories;
  memories.reserve(tensors.size());
  for (const ViewTensor* tensor : tensors) memories.emplace_back(tensor->memory);
  Launch launch{plan, {}};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    launch.addresses[i] = memories[i].data() + tensors[i]->first();
  }
  if (plan.run != nullptr) {
    EXPECT_TRUE(plan.check_addresses(plan, launch.addresses).ok());
    EXPECT_TRUE(launch.Run().ok());
  }
  std::vector<Bytes> contents;
  for (const Memory& memory : memories) contents.push_back(memory.Content());
  return contents;
}

}  // namespace belay::ops::testing
