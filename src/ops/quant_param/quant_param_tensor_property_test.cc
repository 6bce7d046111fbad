// The tensor form against its reference: random views with gaps, transposed ones and single values,
// at any alignment.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "ops/quant_param/quant_param_reference.h"
#include "ops/quant_param/quant_param_tensor.h"

namespace belay::ops {
namespace {

// Memory of a view, every byte of it known.
struct Storage {
  TensorView view;
  std::vector<std::byte> bytes;
  std::size_t first = 0;  // where the view begins

  [[nodiscard]] std::byte* data() { return bytes.data() + first; }
  // Where an element lies, by its position in the order of indices.
  [[nodiscard]] std::size_t At(std::size_t i) const {
    std::size_t at = first;
    std::size_t item = view.dtype == DataType::kFloat ? sizeof(float) : sizeof(std::uint64_t);
    for (std::size_t k = view.dims.rank; k-- > 0;) {
      const auto size = static_cast<std::size_t>(view.dims[k]);
      at += i % size * static_cast<std::size_t>(view.strides[k]) * item;
      i /= size;
    }
    return at;
  }
};

// A view of the shape with gaps between elements and rows, perhaps with its dimensions swapped in
// memory, `gaps` allowing; always at any alignment.
Storage DrawStorage(DataType type, const std::vector<std::int64_t>& shape, bool gaps) {
  Storage storage;
  Dims dims;
  dims.rank = shape.size();
  std::size_t count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    dims.sizes[i] = shape[i];
    count *= static_cast<std::size_t>(shape[i]);
  }
  storage.view = ContiguousView(type, dims);
  if (gaps) {
    const bool swapped = *rc::gen::arbitrary<bool>();
    std::int64_t stride = 1;
    for (std::size_t k = 0; k < dims.rank; ++k) {
      const std::size_t i = swapped ? k : dims.rank - 1 - k;
      stride *= *rc::gen::inRange<std::int64_t>(1, 4);
      storage.view.strides[i] = stride;
      stride *= dims[i];
    }
  }
  const std::size_t item = type == DataType::kFloat ? sizeof(float) : sizeof(std::uint64_t);
  storage.first = *rc::gen::inRange<std::size_t>(0, 17);
  storage.bytes.assign(storage.At(count - 1) + item + 16, std::byte{0x5C});
  return storage;
}

rc::Gen<float> AnyFloat() {
  return rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                                     [](std::uint32_t bits) { return std::bit_cast<float>(bits); }),
                        rc::gen::map(rc::gen::inRange(-1200, 1200),
                                     [](int halves) { return static_cast<float>(halves) / 2.0F; }));
}

rc::Gen<float> FiniteFloat() {
  return rc::gen::suchThat(AnyFloat(), [](float value) { return value - value == 0.0F; });
}

std::vector<float> Fill(Storage& storage, std::size_t count, const rc::Gen<float>& value) {
  auto values = *rc::gen::container<std::vector<float>>(count, value);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(storage.bytes.data() + storage.At(i), &values[i], sizeof(float));
  }
  return values;
}

// Draws tensors for a chip that takes any of them, runs, and compares every byte of out's storage.
void CheckRun(Behaviour behaviour) {
  const bool released = behaviour == Behaviour::kReleased;
  const rc::Gen<float> value = released ? AnyFloat() : FiniteFloat();
  const auto rows = *rc::gen::element<std::int64_t>(1, 1, 2, 5);
  const auto columns = *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(1, 40),
                                       rc::gen::element<std::int64_t>(1, 1024, 1025, 2100));
  const bool flat = rows == 1 && *rc::gen::arbitrary<bool>();
  const bool single_scale = flat && *rc::gen::arbitrary<bool>();
  const int offset_kind = *rc::gen::inRange(0, 3);  // none, one, as many as words
  const std::int64_t count = rows * columns;
  const std::int64_t words = single_scale && offset_kind != 2 ? 1 : count;

  using Shape = std::vector<std::int64_t>;
  const Shape scale_shape = flat ? Shape{single_scale ? 1 : count} : Shape{rows, columns};
  Storage scale = DrawStorage(DataType::kFloat, scale_shape, released);
  QuantParamCase data{Fill(scale, static_cast<std::size_t>(single_scale ? 1 : count), value),
                      std::nullopt};
  std::optional<Storage> offset;
  if (offset_kind != 0) {
    const std::int64_t offsets = offset_kind == 1 ? 1 : words;
    offset = DrawStorage(DataType::kFloat, {1, offsets}, released);
    data.offset = Fill(*offset, static_cast<std::size_t>(offsets), value);
  }
  const auto out_type = *rc::gen::element(DataType::kInt64, DataType::kUint64);
  Storage out = DrawStorage(out_type, flat ? Shape{words} : Shape{rows, columns}, true);

  const int round_mode = *rc::gen::inRange(0, 2);
  const StatusOr<Plan> plan = QuantParamTensor::MakePlan(
      {QuantParamTensor::kV3, round_mode}, scale.view, offset ? &offset->view : nullptr, out.view,
      {Face::kAclnn, FindChip("Ascend950PR_9599"), behaviour});
  RC_ASSERT(plan.has_value());
  std::vector<std::byte> expected = out.bytes;
  const std::vector<std::uint64_t> expected_words = ReferenceQuantParamTensor(data, round_mode);
  RC_ASSERT(expected_words.size() == static_cast<std::size_t>(words));
  for (std::size_t i = 0; i < expected_words.size(); ++i) {
    std::memcpy(expected.data() + out.At(i), &expected_words[i], sizeof(std::uint64_t));
  }
  const Launch launch{*plan, {scale.data(), offset ? offset->data() : nullptr, out.data()}};
  RC_ASSERT(launch.plan.check_addresses(launch.plan, launch.addresses).ok());
  RC_ASSERT(launch.Run().ok());
  RC_ASSERT(out.bytes == expected);
}

RC_GTEST_PROP(QuantParamTensorProperty, DocumentedMatchesReference, ()) {
  CheckRun(Behaviour::kDocumented);
}

RC_GTEST_PROP(QuantParamTensorProperty, ReleasedMatchesReferenceOverViews, ()) {
  CheckRun(Behaviour::kReleased);
}

}  // namespace
}  // namespace belay::ops
