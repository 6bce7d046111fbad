// IndexAdd and IndexCopy against plain loops, bit for bit: any types, shapes, strides, duplicates,
// and inputs that are the very tensor that is written.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "aclnn/index_case.h"
#include "opdev/op_errno.h"

namespace belay::test {
namespace {

constexpr aclDataType kAddTypes[] = {ACL_FLOAT, ACL_INT32, ACL_FLOAT16, ACL_DOUBLE, ACL_INT16,
                                     ACL_INT8,  ACL_UINT8, ACL_INT64,   ACL_BOOL,   ACL_BF16};
constexpr aclDataType kCopyTypes[] = {ACL_INT64, ACL_DOUBLE,    ACL_INT16,      ACL_INT8,
                                      ACL_UINT8, ACL_COMPLEX64, ACL_COMPLEX128, ACL_BOOL,
                                      ACL_FLOAT, ACL_FLOAT16,   ACL_INT32,      ACL_BF16};

template <class T>
void Fill(Bytes& storage, const std::vector<T>& pool, std::mt19937& random) {
  for (std::size_t i = 0; i + sizeof(T) <= storage.size(); i += sizeof(T)) {
    const auto any = static_cast<T>(random() | std::uint64_t{random()} << 32);
    const T value = random() % 3 == 0 ? any : pool[random() % pool.size()];
    std::memcpy(storage.data() + i, &value, sizeof(T));
  }
}

// Large values that cancel and small ones that get lost beside them: the order of sums and where
// they are rounded show. Infinities, NaN with payloads, subnormals; and any bits.
void FillStorage(View& view, std::mt19937& random) {
  switch (view.type) {
    case ACL_FLOAT16:
      return Fill<std::uint16_t>(view.storage,
                                 {0x7800, 0xF800, 0x1400, 0x9555, 0x3C01, 0x7BFF, 0xFC00, 0x7C01,
                                  0x0001, 0x8000, 0x6800, 0x3555},
                                 random);
    case ACL_BF16:
      return Fill<std::uint16_t>(
          view.storage,
          {0x4B80, 0xCB80, 0x3F80, 0xBF81, 0x3EAB, 0x7F7F, 0xFF80, 0x7F81, 0x0001, 0x8000, 0x3B80},
          random);
    case ACL_FLOAT:
      return Fill<std::uint32_t>(view.storage,
                                 {0x4B800000, 0xCB800000, 0x3F800000, 0x3EAAAAAB, 0x7F7FFFFF,
                                  0xFF800000, 0x7F800001, 0x00000001, 0x80000000, 0x33800000},
                                 random);
    case ACL_DOUBLE:
      return Fill<std::uint64_t>(
          view.storage,
          {0x4340000000000000, 0xC340000000000000, 0x3FF0000000000000, 0x3FD5555555555555,
           0x7FEFFFFFFFFFFFFF, 0xFFF0000000000000, 0x7FF0000000000001, 1, 0x8000000000000000},
          random);
    default:
      return Fill<std::uint8_t>(view.storage, {0, 0, 1, 0x7F, 0xFF}, random);
  }
}

// Any order of the dimensions in memory, gaps, an offset; `expanded`: some strides are 0.
View RandomView(aclDataType type, const Shape& dims, bool expanded, std::mt19937& random) {
  View view = Contiguous(type, dims);
  if (random() % 3 != 0) {
    std::vector<std::size_t> order(dims.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
    const bool gaps = random() % 2 == 0;
    std::int64_t stride = gaps && random() % 2 == 0 ? 2 : 1;
    for (std::size_t i = dims.size(); i-- > 0;) {
      const std::size_t dim = order[i];
      view.strides[dim] = expanded && random() % 4 == 0 ? 0 : stride;
      stride *= std::max<std::int64_t>(dims[dim], 1);
      if (gaps && random() % 3 == 0) stride += 1 + static_cast<std::int64_t>(random() % 3);
    }
    view.offset = static_cast<std::int64_t>(random() % 4);
    view.storage.resize((static_cast<std::size_t>(view.Extent()) + random() % 3) *
                        ItemBytesOf(type));
  }
  FillStorage(view, random);
  return view;
}

View RandomIndex(aclDataType type, std::int64_t count, std::int64_t rows, bool scalar,
                 std::mt19937& random) {
  View index = RandomView(type, scalar ? Shape{} : Shape{count}, true, random);
  const bool few = random() % 3 == 0;  // many duplicates
  const bool ascending = random() % 3 == 0;
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  for (std::int64_t& value : values) {
    value = static_cast<std::int64_t>(random()) % (few ? std::min<std::int64_t>(rows, 2) : rows);
  }
  if (ascending) std::ranges::sort(values);
  std::size_t k = 0;
  ForEachIndex(index.dims, [&](const Shape& at) {
    std::uint8_t* const to = index.storage.data() + index.Position(at);
    const std::int64_t value = values[k++];
    const auto narrow = static_cast<std::int32_t>(value);
    if (type == ACL_INT64) std::memcpy(to, &value, sizeof value);
    if (type == ACL_INT32) std::memcpy(to, &narrow, sizeof narrow);
  });
  return index;
}

Alpha RandomAlpha(aclDataType self, bool castable, std::mt19937& random) {
  std::vector<Alpha> alphas = {
      Alpha::Of<std::int64_t>(ACL_INT64, 1),   Alpha::Of<std::int64_t>(ACL_INT64, -3),
      Alpha::Of<std::uint8_t>(ACL_BOOL, 1),    Alpha::Of<std::int32_t>(ACL_INT32, 0),
      Alpha::Of<std::uint8_t>(ACL_UINT8, 200), Alpha::Of<float>(ACL_FLOAT, 2.0F),
      Alpha::Of<double>(ACL_DOUBLE, -1.0)};
  const bool floating =
      self == ACL_FLOAT || self == ACL_DOUBLE || self == ACL_FLOAT16 || self == ACL_BF16;
  if (!castable || floating) {
    alphas.push_back(Alpha::Of<double>(ACL_DOUBLE, 1.0 / 3));
    alphas.push_back(Alpha::Of<float>(ACL_FLOAT, -2.75F));
    alphas.push_back(Alpha::Of<double>(ACL_DOUBLE, 5.0 / 7));
  }
  return alphas[random() % alphas.size()];
}

IndexCase RandomCase(std::mt19937& random) {
  IndexCase call;
  call.op = static_cast<IndexOp>(random() % 4);
  const bool copies = call.op == IndexOp::kCopy || call.op == IndexOp::kInplaceCopy;
  const aclDataType type = copies ? kCopyTypes[random() % std::size(kCopyTypes)]
                                  : kAddTypes[random() % std::size(kAddTypes)];
  call.mode = random() % 2;
  std::size_t rank = random() % 8 == 0 ? random() % 9 : random() % 4;
  const bool fast = call.op == IndexOp::kAddV2 && call.mode == 0;
  if (fast) rank = 2;
  Shape dims(rank);
  for (std::int64_t& size : dims) size = 1 + random() % (rank > 4 ? 2 : rank == 1 ? 40 : 6);
  if (rank == 2 && random() % 4 == 0) dims[random() % 2] = 1 + random() % 70;
  const std::size_t axis = rank == 0 || fast ? 0 : random() % rank;
  const auto limit = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  call.dim = static_cast<std::int64_t>(axis) - (random() % 2 == 0 ? limit : 0);
  const std::int64_t rows = rank == 0 ? 1 : dims[axis];
  std::int64_t count = 1 + random() % 12;
  if (random() % 4 == 0) count = rows;
  const bool scalar_source = rank == 0 && random() % 2 == 0;
  if (scalar_source) count = 1;
  Shape source_dims = dims;
  if (rank == 0 && !scalar_source) source_dims = {count};
  if (rank != 0) source_dims[axis] = count;

  const bool written_self = random() % 3 == 0 || call.op == IndexOp::kInplaceCopy;
  call.self_is_out = written_self && call.op != IndexOp::kInplaceCopy;
  call.self = RandomView(type, dims, !written_self, random);
  call.out = RandomView(type, dims, false, random);
  call.source = RandomView(type, source_dims, true, random);
  const bool scalar_index = count == 1 && random() % 2 == 0;
  const aclDataType index_type = random() % 2 == 0 ? ACL_INT32 : ACL_INT64;
  call.index = RandomIndex(index_type, count, rows, scalar_index, random);
  call.source_is_out = source_dims == dims && random() % 3 == 0;
  if (fast && type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_INT32 && type != ACL_INT16 &&
      type != ACL_BF16) {
    call.mode = 7;
  }
  call.alpha = RandomAlpha(type, call.op == IndexOp::kAddV2, random);
  if ((type == ACL_INT32 || type == ACL_INT64) && rank == 1 && count == rows && random() % 2 == 0) {
    // What is written is the index.
    View& written = written_self ? call.self : call.out;
    written = RandomIndex(type, count, rows, false, random);
    written.strides[0] = std::max<std::int64_t>(written.strides[0], 1);
    written.storage.resize(static_cast<std::size_t>(written.Extent()) * ItemBytesOf(type));
    call.index_is_out = std::ranges::all_of(
        IndicesOf(written), [&](std::int64_t index) { return index >= 0 && index < rows; });
  }
  return call;
}

void ExpectAsExpected(const IndexCase& call, bool deterministic) {
  RC_ASSERT(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, deterministic ? 1 : 0) == ACL_SUCCESS);
  const IndexResult result = RunCall(call);
  RC_LOG() << "operator " << int(call.op) << ", type " << call.self.type << ", rank "
           << call.self.dims.size() << ", mode " << call.mode
           << ", what is written is self, source, "
           << "index " << call.self_is_out << call.source_is_out << call.index_is_out
           << ", deterministic " << deterministic << "\n"
           << TakeMessages();
  RC_ASSERT(result.phase_one == ACLNN_SUCCESS);
  RC_ASSERT(result.phase_two == ACLNN_SUCCESS);
  RC_ASSERT(result.wait == ACL_SUCCESS);
  RC_ASSERT(result.inputs_unchanged);
  RC_ASSERT(result.out == Expected(call, deterministic));
}

class IndexPropertyTest : public DeviceTest {};

TEST_F(IndexPropertyTest, MatchesPlainLoopsBitForBit) {
  EXPECT_TRUE(rc::check("any call", [] {
    std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
    for (int i = 0; i < 8; ++i) ExpectAsExpected(RandomCase(random), random() % 3 == 0);
  }));
}

struct BigShape {
  Shape dims;
  std::size_t axis;
  std::int64_t count;
};

// Enough work for several threads: wide rows, narrow ones, many slices; rows that many share.
TEST_F(IndexPropertyTest, LargeTensorsOnSeveralThreads) {
  std::mt19937 random(5);
  constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_DOUBLE, ACL_FLOAT16, ACL_INT32,
                                    ACL_BF16,  ACL_BOOL,   ACL_INT64};
  std::size_t next = 0;
  for (const BigShape& shape :
       {BigShape{{7, 9001}, 0, 40}, BigShape{{3001, 5}, 0, 60000}, BigShape{{150000}, 0, 150000},
        BigShape{{14000, 3}, 1, 12}, BigShape{{3, 50, 501}, 1, 300}}) {
    for (const aclDataType type : {ACL_FLOAT, kTypes[next % 7], kTypes[(next + 3) % 7]}) {
      ++next;
      IndexCase call;
      Shape source_dims = shape.dims;
      source_dims[shape.axis] = shape.count;
      call.dim = static_cast<std::int64_t>(shape.axis);
      call.self = RandomView(type, shape.dims, false, random);
      call.out = RandomView(type, shape.dims, false, random);
      call.source = RandomView(type, source_dims, false, random);
      call.index = RandomIndex(ACL_INT64, shape.count, shape.dims[shape.axis], false, random);
      call.alpha = Alpha::Of<std::int32_t>(ACL_INT32, 3);
      call.mode = 1;
      for (const IndexOp op : {IndexOp::kAdd, IndexOp::kAddV2, IndexOp::kCopy}) {
        call.op = op;
        const IndexResult result = RunCall(call);
        EXPECT_EQ(result.wait, ACL_SUCCESS) << TakeMessages();
        EXPECT_TRUE(result.inputs_unchanged);
        ASSERT_TRUE(result.out == Expected(call)) << "op " << int(op) << " type " << type
                                                  << " dims " << testing::PrintToString(shape.dims);
      }
    }
  }
}

}  // namespace
}  // namespace belay::test
