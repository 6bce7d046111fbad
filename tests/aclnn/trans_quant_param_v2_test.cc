// aclnnTransQuantParamV2 and V3 through the C API, as documented and as released.
#include "aclnnop/aclnn_trans_quant_param_v2.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_trans_quant_param_v3.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

using Floats = std::vector<float>;
using Shape = std::vector<std::int64_t>;
using Words = std::vector<std::uint64_t>;

constexpr int kNull = 161001;
constexpr int kInvalid = 161002;
constexpr int kFault = 507035;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0x7FC00001U);

bool Released() { return Variable("BELAY_BEHAVIOR") == "released"; }

template <class T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct DestroyTensor {
  void operator()(const aclTensor* tensor) const { EXPECT_EQ(aclDestroyTensor(tensor), 0); }
};
using Tensor = std::unique_ptr<const aclTensor, DestroyTensor>;

Tensor MakeTensor(const Shape& shape, aclDataType type, void* data, const Shape& strides = {},
                  aclFormat format = ACL_FORMAT_ND) {
  return Tensor(aclCreateTensor(shape.data(), shape.size(), type,
                                strides.empty() ? nullptr : strides.data(), 0, format, shape.data(),
                                shape.size(), data));
}

// Three scales, offsets and words in device memory, each of which a test may replace.
struct Call {
  Block scale_block{BytesOf(Floats{0.5F, 1.1F, -2.0F})};
  Block offset_block{BytesOf(Floats{0.5F, 1.5F, -300.0F})};
  Block out_block{Bytes(24, 0xEE)};
  Tensor scale = MakeTensor({3}, ACL_FLOAT, scale_block.get());
  Tensor offset = MakeTensor({3}, ACL_FLOAT, offset_block.get());
  Tensor out = MakeTensor({3}, ACL_UINT64, out_block.get());
  std::int64_t round_mode = 0;
  Output<std::uint64_t> workspace_size;
  Output<aclOpExecutor*> executor;
  bool size_is_null = false;
  bool executor_is_null = false;

  int PhaseOneV3() {
    return aclnnTransQuantParamV3GetWorkspaceSize(scale.get(), offset.get(), round_mode, out.get(),
                                                  size_is_null ? nullptr : &workspace_size,
                                                  executor_is_null ? nullptr : &executor);
  }
  int PhaseOneV2() {
    return aclnnTransQuantParamV2GetWorkspaceSize(scale.get(), offset.get(), out.get(),
                                                  size_is_null ? nullptr : &workspace_size,
                                                  executor_is_null ? nullptr : &executor);
  }
  [[nodiscard]] Words ReadWords() const {
    const Bytes bytes = out_block.Read(24);
    Words words(3);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }
};

class TransQuantParamV2 : public DeviceTest {};

// The body with a device, both ways of BELAY_BEHAVIOR.
void ExpectPassesBothWays(ChildBody body) {
  for (const char* behaviour : {"documented", "released"}) {
    ExpectChildPasses({{"BELAY_BEHAVIOR", behaviour}}, body);
  }
}

// Runs V2 (round_mode -1) or V3 on tensors of one dimension.
Words Pack(const Floats& scale, const Floats& offset, std::int64_t round_mode = -1) {
  const std::size_t count = std::max(scale.size(), offset.size());
  const Block scales(BytesOf(scale));
  const Block offsets(offset.empty() ? Bytes(4) : BytesOf(offset));
  const Block words(count * sizeof(std::uint64_t));
  const auto length = [](std::size_t size) { return Shape{static_cast<std::int64_t>(size)}; };
  const Tensor scale_tensor = MakeTensor(length(scale.size()), ACL_FLOAT, scales.get());
  const Tensor offset_tensor =
      offset.empty() ? nullptr : MakeTensor(length(offset.size()), ACL_FLOAT, offsets.get());
  const Tensor out = MakeTensor(length(count), ACL_INT64, words.get());
  std::uint64_t size = 99;
  aclOpExecutor* executor = nullptr;
  if (round_mode == -1) {
    EXPECT_EQ(aclnnTransQuantParamV2GetWorkspaceSize(scale_tensor.get(), offset_tensor.get(),
                                                     out.get(), &size, &executor),
              0);
    EXPECT_EQ(aclnnTransQuantParamV2(nullptr, size, executor, nullptr), 0) << TakeMessages();
  } else {
    EXPECT_EQ(aclnnTransQuantParamV3GetWorkspaceSize(scale_tensor.get(), offset_tensor.get(),
                                                     round_mode, out.get(), &size, &executor),
              0);
    EXPECT_EQ(aclnnTransQuantParamV3(nullptr, size, executor, nullptr), 0) << TakeMessages();
  }
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0) << TakeMessages();
  const Bytes bytes = words.Read(count * sizeof(std::uint64_t));
  Words result(count);
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

TEST(TransQuantParamV2Api, PublishedVectors) {
  ExpectPassesBothWays([] {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    for (const std::int64_t v2 : {-1, 0}) {
      EXPECT_EQ(Pack({0.1F, 1.1F}, {}, v2), (Words{0x000040003DCCC000, 0x000040003F8CC000}));
      EXPECT_EQ(Pack({-1.1F}, {}, v2), Words{0x00004000BF8CC000});
      EXPECT_EQ(
          Pack({1.0F}, {0.5F, 1.5F, 2.5F, -300}, v2),
          (Words{0x000040003F800000, 0x000040403F800000, 0x000040403F800000, 0x000060003F800000}));
    }
    EXPECT_EQ(Pack({1.99999F, 1 + 0x1p-11F, 1 + 3 * 0x1p-11F}, {3}, 1),
              (Words{0x0000406040000000, 0x000040603F800000, 0x000040603F804000}));
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
}

TEST_F(TransQuantParamV2, OutMayHaveGaps) {
  Call call;
  const Block wide(Bytes(56, 0xEE));
  call.out = MakeTensor({3}, ACL_UINT64, wide.get(), {3});
  ASSERT_EQ(call.PhaseOneV2(), 0) << TakeMessages();
  ASSERT_EQ(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), 0) << TakeMessages();
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  const std::uint64_t gap = 0xEEEEEEEEEEEEEEEE;
  EXPECT_EQ(wide.Read(56), BytesOf(Words{0x000040003F000000, gap, gap, 0x000040403F8CC000, gap, gap,
                                         0x00006000C0000000}));
}

// Faults in the order in which they are looked for, each with its code.
TEST_F(TransQuantParamV2, ChecksInPublishedOrder) {
  const struct {
    const char* seen;
    int code;
    void (*spoil)(Call& call);
  } steps[] = {
      {"scale is null", kNull, [](Call& c) { c.scale.reset(); }},
      {"out is null", kNull, [](Call& c) { c.out.reset(); }},
      {"scale is of type", kInvalid,
       [](Call& c) {
         if (c.scale) c.scale = MakeTensor({3}, ACL_FLOAT16, c.scale_block.get());
       }},
      {"offset is of type", kInvalid,
       [](Call& c) { c.offset = MakeTensor({3}, ACL_INT32, c.offset_block.get()); }},
      {"out is in format", kInvalid,
       [](Call& c) {
         if (c.out) c.out = MakeTensor({3}, ACL_UINT64, c.out_block.get(), {}, ACL_FORMAT_NCHW);
       }},
      {"roundMode is 3", kInvalid, [](Call& c) { c.round_mode = 3; }},
      {"workspaceSize is null", kNull, [](Call& c) { c.size_is_null = true; }},
      {"executor is null", kNull, [](Call& c) { c.executor_is_null = true; }},
  };
  for (std::size_t first = 0; first < std::size(steps); ++first) {
    for (std::size_t second = first; second < std::size(steps); ++second) {
      Call call;
      steps[second].spoil(call);
      steps[first].spoil(call);
      ExpectRefused(call.PhaseOneV3(), steps[first].code, steps[first].seen,
                    "aclnnTransQuantParamV3GetWorkspaceSize", "; allowed");
      EXPECT_TRUE(call.workspace_size.Untouched() && call.executor.Untouched());
    }
  }
}

TEST_F(TransQuantParamV2, StatusTable) {
  const struct {
    Shape scale;
    Shape offset;
    Shape out;
    int code;
  } rows[] = {
      {{3}, {3}, {3}, 0},
      {{1, 3}, {1, 3}, {1, 3}, 0},
      {{1, 3}, {3}, {1, 3}, 0},
      {{3}, {1}, {3}, 0},
      {{1}, {3}, {3}, 0},
      {{3, 1}, {1}, {3, 1}, kInvalid},
      {{1, 1, 3}, {3}, {3}, kInvalid},
      {{0}, {1}, {0}, kInvalid},
      {{3}, {3, 1}, {3}, kInvalid},
      {{3}, {0}, {3}, kInvalid},
      {{3}, {2}, {3}, kInvalid},
      {{2}, {3}, {3}, kInvalid},
      {{3}, {3}, {1, 3}, kInvalid},
      {{}, {1}, {}, kInvalid},
  };
  for (const auto& row : rows) {
    Call call;
    call.scale = MakeTensor(row.scale, ACL_FLOAT, call.scale_block.get());
    call.offset = MakeTensor(row.offset, ACL_FLOAT, call.offset_block.get());
    call.out = MakeTensor(row.out, ACL_UINT64, call.out_block.get());
    const int code = call.PhaseOneV2();
    EXPECT_EQ(code, row.code) << TakeMessages();
    if (code == 0) {
      EXPECT_EQ(aclDestroyAclOpExecutor(*call.executor), 0);
    } else {
      EXPECT_TRUE(call.workspace_size.Untouched() && call.executor.Untouched());
    }
  }
}

TEST_F(TransQuantParamV2, DestroyedTensors) {
  Call call;
  const aclTensor* const gone = MakeTensor({3}, ACL_FLOAT, call.scale_block.get()).get();
  ExpectRefused(aclnnTransQuantParamV2GetWorkspaceSize(gone, nullptr, call.out.get(),
                                                       &call.workspace_size, &call.executor),
                kInvalid, "scale", "; allowed a live tensor");
  ASSERT_EQ(call.PhaseOneV2(), 0);
  call.offset.reset();
  ExpectRefused(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), kInvalid, "offset");
}

TEST_F(TransQuantParamV2, PhaseTwo) {
  ExpectRefused(aclnnTransQuantParamV2(nullptr, 0, nullptr, nullptr), kNull, "executor is null");
  Call call;
  ASSERT_EQ(call.PhaseOneV3(), 0);
  ExpectRefused(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), kInvalid,
                "executor is one of aclnnTransQuantParamV3");
  ASSERT_EQ(aclnnTransQuantParamV3(nullptr, 0, *call.executor, nullptr), 0) << TakeMessages();
  ExpectRefused(aclnnTransQuantParamV3(nullptr, 0, *call.executor, nullptr), kInvalid,
                "has run already");
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(call.ReadWords(), (Words{0x000040003F000000, 0x000040403F8CC000, 0x00006000C0000000}));
}

TEST_F(TransQuantParamV2, MemoryOfTensors) {
  Floats host(3, 1.0F);
  const std::pair<const char*, void (*)(Call&, void*)> cases[] = {
      {"scale is", [](Call& c, void* p) { c.scale = MakeTensor({3}, ACL_FLOAT, p); }},
      {"offset is", [](Call& c, void* p) { c.offset = MakeTensor({3}, ACL_FLOAT, p); }},
      {"out is", [](Call& c, void* p) { c.out = MakeTensor({3}, ACL_UINT64, p); }},
  };
  for (const auto& [seen, spoil] : cases) {
    for (void* const address : {static_cast<void*>(host.data()), static_cast<void*>(nullptr)}) {
      Call call;
      spoil(call, address);
      ASSERT_EQ(call.PhaseOneV2(), 0) << TakeMessages();
      ExpectRefused(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), kInvalid, seen);
    }
  }
  Call call;
  const Block shared(Bytes(64));
  call.scale = MakeTensor({3}, ACL_FLOAT, shared.At(16));
  call.out = MakeTensor({3}, ACL_UINT64, shared.get());
  ASSERT_EQ(call.PhaseOneV2(), 0);
  ExpectRefused(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), kInvalid,
                "share elements");
}

TEST(TransQuantParamV2Api, ValuesThatAreNotFinite) {
  ExpectPassesBothWays([] {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    for (const bool in_scale : {true, false}) {
      Call call;
      (in_scale ? call.scale_block : call.offset_block).Write(BytesOf(Floats{1.0F, kNan, kInf}));
      const Words before = call.ReadWords();
      ASSERT_EQ(call.PhaseOneV2(), 0);
      ASSERT_EQ(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), 0);
      const int code = aclrtSynchronizeStream(nullptr);
      if (Released()) {
        EXPECT_EQ(code, 0) << TakeMessages();
        EXPECT_EQ(call.ReadWords(),
                  in_scale ? (Words{0x000040003F800000, 0x000040407FC00000, 0x000060007F800000})
                           : (Words{0x000040203F000000, 0x000040003F8CC000, 0x00005FE0C0000000}));
      } else {
        ExpectRefused(code, kFault, "aclnnTransQuantParamV2", in_scale ? "scale[1]" : "offset[1]",
                      "is nan; allowed finite values");
        EXPECT_EQ(call.ReadWords(), before);
        EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
      }
    }
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
}

TEST(TransQuantParamV2Api, InputsWithGaps) {
  ExpectPassesBothWays([] {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    {
      Call call;
      const Block wide(BytesOf(Floats{0.5F, kNan, 1.1F, kNan, -2.0F}));
      call.scale = MakeTensor({3}, ACL_FLOAT, wide.get(), {2});
      if (Released()) {
        ASSERT_EQ(call.PhaseOneV2(), 0) << TakeMessages();
        ASSERT_EQ(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), 0);
        EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
        EXPECT_EQ(call.ReadWords(),
                  (Words{0x000040003F000000, 0x000040403F8CC000, 0x00006000C0000000}));
      } else {
        ExpectRefused(call.PhaseOneV2(), kInvalid, "scale is [3] with strides [2]");
      }
    }
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
}

TEST(TransQuantParamV2Api, Products) {
  const auto refused = [] {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    {
      Call call;
      ExpectRefused(call.PhaseOneV2(), kInvalid, "aclnnTransQuantParamV2 is not served on");
      ExpectRefused(call.PhaseOneV3(), kInvalid, "aclnnTransQuantParamV3 is not served on");
      call.scale.reset();  // looked at before
      ExpectRefused(call.PhaseOneV2(), kNull, "scale is null");
    }
    EXPECT_EQ(aclrtResetDevice(0), 0);
  };
  ExpectChildPasses({{"BELAY_SOC", "Ascend310B1"}}, refused);
  ExpectChildPasses({{"BELAY_SOC", "Ascend910A"}}, refused);

  const auto with_rows = [] {
    ASSERT_EQ(aclrtSetDevice(0), 0);
    {
      const bool served = Variable("BELAY_SOC") == "Ascend950PR_9599";
      Call call;
      call.scale = MakeTensor({3, 1}, ACL_FLOAT, call.scale_block.get());
      call.out = MakeTensor({3, 1}, ACL_INT64, call.out_block.get());
      EXPECT_EQ(call.PhaseOneV2(), served ? 0 : kInvalid) << TakeMessages();
      if (served) {
        EXPECT_EQ(aclnnTransQuantParamV2(nullptr, 0, *call.executor, nullptr), 0);
        EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
        EXPECT_EQ(call.ReadWords(),
                  (Words{0x000040003F000000, 0x000040403F8CC000, 0x00006000C0000000}));
      }
    }
    EXPECT_EQ(aclrtResetDevice(0), 0);
  };
  for (const char* soc : {"Ascend950PR_9599", "Ascend310P3", "Ascend910_9382"}) {
    for (const char* behaviour : {"documented", "released"}) {
      ExpectChildPasses({{"BELAY_SOC", soc}, {"BELAY_BEHAVIOR", behaviour}}, with_rows);
    }
  }
}

}  // namespace
}  // namespace belay::test
