// The operator against its reference: any bit patterns, shapes, axes and duplicates; the caller's
// float environment; many rows on several threads.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cfenv>
#include <random>

#include "ops/index_add/index_add.h"
#include "ops/index_add/index_add_reference.h"
#include "support/operator_run.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::ops {
namespace {

using testing::Desc;
using testing::ExpectFault;
using testing::FromBytes;
using testing::Memory;
using testing::ToBytes;
using testing::Who;
using Dimensions = std::vector<std::int64_t>;
using Halves = std::vector<std::uint16_t>;

struct Case {
  IndexAddData data;
  std::int32_t type = IndexAdd::kIndexAdd;
  std::int64_t axis = 0;  // as the caller says it
  std::uint16_t alpha = 0x3C00;
  Behaviour behaviour = Behaviour::kDocumented;
  Halves var;

  [[nodiscard]] Halves Expected() const {
    Halves expected = var;
    ReferenceIndexAdd(data, expected);
    return expected;
  }

  [[nodiscard]] Halves Actual() const {
    const bool valid = type == IndexAdd::kIndexAddValid;
    const auto count = static_cast<std::int64_t>(data.indices.size());
    Dimensions updates_dims = data.var_dims;
    updates_dims[data.axis] = count;
    const TensorDesc var_desc = Desc(data.type, data.var_dims);
    const testing::Life<IndexAdd> life{{type, axis}, Who(behaviour)};
    Plan plan;
    const Status status =
        life.Setup({var_desc, Desc(DataType::kInt32, {count}), Desc(data.type, updates_dims),
                    Desc(valid ? DataType::kInt32 : data.type, {1})},
                   {var_desc}, &plan);
    EXPECT_TRUE(status.ok()) << status.message();
    Memory var_memory(ToBytes(var));
    Memory indices(ToBytes(data.indices));
    Memory updates(ToBytes(data.updates));
    Memory scalar(valid ? ToBytes<std::int32_t>({static_cast<std::int32_t>(data.valid)})
                        : ToBytes(Halves{alpha}));
    const Status run = testing::Execute(plan, {var_memory.data(), indices.data(), updates.data(),
                                               scalar.data(), var_memory.data()});
    EXPECT_TRUE(run.ok()) << run.message();
    EXPECT_EQ(FromBytes<std::int32_t>(indices.Content()), data.indices);
    EXPECT_EQ(FromBytes<std::uint16_t>(updates.Content()), data.updates);
    return FromBytes<std::uint16_t>(var_memory.Content());
  }
};

// Any bit pattern; NaN with payloads, infinities, subnormals and the largest values often.
rc::Gen<std::uint16_t> AnyHalf(DataType type) {
  using Half = std::uint16_t;
  const auto special =
      type == DataType::kFloat16
          ? rc::gen::element<Half>(0x0000, 0x8000, 0x3C00, 0x0001, 0x83FF, 0x7BFF, 0xFBFF, 0x7C00,
                                   0xFC00, 0x7C01, 0xFE55, 0x7E00, 0x1400, 0x6800)
          : rc::gen::element<Half>(0x0000, 0x8000, 0x3F80, 0x0001, 0x807F, 0x7F7F, 0xFF7F, 0x7F80,
                                   0xFF80, 0x7F81, 0xFFD5, 0x7FC0, 0x3B80, 0x0080);
  // Finite and of like size, so that sums round.
  const auto ordinary = rc::gen::map(rc::gen::arbitrary<Half>(), [type](Half bits) {
    const Half base = type == DataType::kFloat16 ? 0x3800 : 0x3F00;
    return static_cast<Half>((bits & 0x8000) | base | (bits & 0x07FF));
  });
  // Large values that cancel and small ones that get lost beside them: the order of sums shows.
  const auto cancelling = type == DataType::kFloat16
                              ? rc::gen::element<Half>(0x7800, 0xF800, 0x1400, 0x9400)
                              : rc::gen::element<Half>(0x4B80, 0xCB80, 0x3F80, 0xBF80);
  return rc::gen::oneOf(rc::gen::arbitrary<Half>(), special, ordinary, cancelling, cancelling);
}

Case DrawCase(std::int32_t type) {
  Case drawn;
  drawn.type = type;
  IndexAddData& data = drawn.data;
  const bool valid = type == IndexAdd::kIndexAddValid;
  data.type = *rc::gen::element(DataType::kFloat16, DataType::kBf16);
  drawn.behaviour = *rc::gen::element(Behaviour::kDocumented, Behaviour::kReleased);
  const auto rank = valid ? 2 : *rc::gen::inRange<std::size_t>(1, 9);
  const std::int64_t limit = rank > 4 ? 3 : 7;
  data.var_dims = *rc::gen::container<Dimensions>(rank, rc::gen::inRange<std::int64_t>(1, limit));
  data.axis = valid ? 0 : *rc::gen::inRange<std::size_t>(0, rank);
  drawn.axis = static_cast<std::int64_t>(data.axis);
  if (!valid && *rc::gen::arbitrary<bool>()) drawn.axis -= static_cast<std::int64_t>(rank);

  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  const auto rows = static_cast<std::int32_t>(data.var_dims[data.axis]);
  data.valid = valid ? *rc::gen::inRange<std::size_t>(0, count + 1) : count;
  for (std::size_t k = 0; k < count; ++k) {
    data.indices.push_back(k < data.valid ? *rc::gen::inRange(0, rows)
                                          : *rc::gen::arbitrary<std::int32_t>());
  }
  if (!valid) {
    drawn.alpha = *AnyHalf(data.type);
    data.factor = static_cast<float>(ReferenceHalfValue(data.type, drawn.alpha));
  }
  const std::size_t elements = ElementCount(Desc(data.type, data.var_dims).dims);
  drawn.var = *rc::gen::container<Halves>(elements, AnyHalf(data.type));
  data.updates = *rc::gen::container<Halves>(elements / static_cast<std::size_t>(rows) * count,
                                             AnyHalf(data.type));
  return drawn;
}

RC_GTEST_PROP(IndexAddProperty, IndexAddMatchesReferenceBitForBit, ()) {
  const Case drawn = DrawCase(IndexAdd::kIndexAdd);
  RC_ASSERT(drawn.Actual() == drawn.Expected());
}

RC_GTEST_PROP(IndexAddProperty, IndexAddValidMatchesReferenceBitForBit, ()) {
  const Case drawn = DrawCase(IndexAdd::kIndexAddValid);
  RC_ASSERT(drawn.Actual() == drawn.Expected());
}

// So many slices that they are taken in groups.
RC_GTEST_PROP(IndexAddProperty, ManySlicesMatchReferenceBitForBit, ()) {
  Case drawn;
  drawn.data.type = *rc::gen::element(DataType::kFloat16, DataType::kBf16);
  const auto slices = *rc::gen::inRange<std::int64_t>(32, 60);
  const auto rows = *rc::gen::inRange<std::int64_t>(64, 300);
  const auto count = *rc::gen::inRange<std::size_t>(32, 300);
  drawn.data.var_dims = {slices, rows};
  drawn.data.axis = 1;
  drawn.axis = 1;
  drawn.data.valid = count;
  drawn.alpha = *AnyHalf(drawn.data.type);
  drawn.data.factor = static_cast<float>(ReferenceHalfValue(drawn.data.type, drawn.alpha));
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const auto named = static_cast<std::uint32_t>(*rc::gen::inRange<std::int64_t>(1, rows + 1));
  for (std::size_t k = 0; k < count; ++k) {
    drawn.data.indices.push_back(static_cast<std::int32_t>(random() % named));
  }
  const auto half = [&] { return static_cast<std::uint16_t>(random()); };
  for (std::int64_t i = 0; i < slices * rows; ++i) drawn.var.push_back(half());
  for (std::size_t i = 0; i < static_cast<std::size_t>(slices) * count; ++i) {
    drawn.data.updates.push_back(half());
  }
  RC_ASSERT(drawn.Actual() == drawn.Expected());
}

RC_GTEST_PROP(IndexAddProperty, TheCallersFloatEnvironmentDoesNotMatter, ()) {
  const Case drawn = DrawCase(*rc::gen::element<std::int32_t>(1, 2));
  const Halves expected = drawn.Expected();
  std::fesetround(*rc::gen::element(FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO));
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
  const Halves actual = drawn.Actual();
  std::fesetenv(FE_DFL_ENV);
  RC_ASSERT(actual == expected);
}

// Enough work for several threads, with rows that many updates share.
TEST(IndexAddProperty, ManyRowsOnSeveralThreads) {
  std::mt19937 random(11);
  for (const Dimensions& dims :
       {Dimensions{37, 3000}, Dimensions{300, 401}, Dimensions{5500, 301}, Dimensions{40000, 1}}) {
    for (const std::size_t axis : std::initializer_list<std::size_t>{0, 1}) {
      Case big;
      big.data.var_dims = dims;
      big.data.axis = axis;
      big.axis = static_cast<std::int64_t>(axis);
      const auto rows = static_cast<std::uint32_t>(dims[axis]);
      const std::size_t width = static_cast<std::size_t>(dims[1 - axis]);
      const std::size_t count = 50;
      for (std::size_t k = 0; k < count; ++k) {
        big.data.indices.push_back(static_cast<std::int32_t>(random() % rows / 3));
      }
      big.data.valid = count;
      // As in AnyHalf: the order of sums shows.
      constexpr std::array<std::uint16_t, 5> kHalves = {0x7800, 0xF800, 0x1400, 0x9555, 0x3C01};
      const auto half = [&] { return kHalves[random() % kHalves.size()]; };
      for (std::size_t i = 0; i < width * rows; ++i) big.var.push_back(half());
      for (std::size_t i = 0; i < width * count; ++i) big.data.updates.push_back(half());
      const Halves expected = big.Expected();
      EXPECT_TRUE(big.Actual() == expected);
      EXPECT_TRUE(big.Actual() == expected);
    }
  }
}

RC_GTEST_PROP(IndexAddProperty, RefusesWhatTheTablesSay, ()) {
  const bool valid = *rc::gen::arbitrary<bool>();
  const auto type = *rc::gen::element(DataType::kFloat16, DataType::kBf16);
  IndexAddShapes shapes;
  const auto rank = valid ? 2 : *rc::gen::inRange<std::size_t>(1, 5);
  shapes.var = *rc::gen::container<Dimensions>(rank, rc::gen::inRange<std::int64_t>(1, 5));
  if (valid) shapes.var[1] = *rc::gen::element<std::int64_t>(1, 8192, 8193);
  if (!valid) {
    const auto limit = static_cast<std::int64_t>(rank);
    shapes.axis = *rc::gen::inRange<std::int64_t>(-limit, limit);
  }
  shapes.indices = {*rc::gen::inRange<std::int64_t>(1, 5)};
  shapes.updates = shapes.output = shapes.var;
  const auto axis = shapes.axis < 0 ? shapes.axis + static_cast<std::int64_t>(rank) : shapes.axis;
  shapes.updates[static_cast<std::size_t>(axis)] = shapes.indices[0];
  shapes.scalar = {1};
  // Up to three changes of one dimension or one rank.
  for (int changes = *rc::gen::inRange(0, 4); changes > 0; --changes) {
    const std::array<Dimensions*, 5> lists = {&shapes.var, &shapes.indices, &shapes.updates,
                                              &shapes.scalar, &shapes.output};
    Dimensions& dims = *lists[*rc::gen::inRange<std::size_t>(0, lists.size())];
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        dims.push_back(1);
        break;
      case 1:
        if (dims.size() > 1) dims.pop_back();
        break;
      case 2:
        if (!valid) shapes.axis += *rc::gen::inRange<std::int64_t>(-3, 4);
        break;
      default:
        dims[*rc::gen::inRange<std::size_t>(0, dims.size())] =
            *rc::gen::inRange<std::int64_t>(1, 5);
    }
  }
  const auto expected = [&](const IndexAddShapes& of) {
    return valid ? ReferenceIndexAddValidFault(of, type) : ReferenceIndexAddFault(of, type);
  };
  const std::vector<TensorDesc> inputs = {
      Desc(type, shapes.var), Desc(DataType::kInt32, shapes.indices), Desc(type, shapes.updates),
      Desc(valid ? DataType::kInt32 : type, shapes.scalar)};
  const testing::Life<IndexAdd> life{{valid ? 2 : 1, shapes.axis}, Who(Behaviour::kDocumented)};
  const Status set_up = life.Setup(inputs, {Desc(type, shapes.output)});
  ExpectFault(set_up, set_up.fault());
  RC_ASSERT(set_up.fault() == expected(shapes));
  shapes.output.clear();
  RC_ASSERT(life.InferShape(inputs).fault() == expected(shapes));
}

}  // namespace
}  // namespace belay::ops
