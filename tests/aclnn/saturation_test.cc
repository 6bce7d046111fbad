// 16-bit results beyond their range, in both overflow modes of a device: ATB and aclnn.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "atb/atb_infer.h"
#include "opdev/op_errno.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

using Halves = std::vector<std::uint16_t>;

template <class T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Halves Read(const Block& block, std::size_t count) {
  const Bytes bytes = block.Read(2 * count);
  Halves values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

struct Format {
  aclDataType type;
  std::uint16_t largest;
  std::uint16_t infinity;
  std::uint16_t nan;
};

class Saturation : public DeviceTest, public testing::WithParamInterface<Format> {
 protected:
  void TearDown() override {
    EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_SUCCESS);
    DeviceTest::TearDown();
  }

  // Four rows of one element. The largest value and a negative one are doubled, infinity and NaN
  // stand in rows of their own; an infinity that no index names is in the last.
  [[nodiscard]] Halves Target() const {
    const auto [type, largest, infinity, nan] = GetParam();
    return {largest, static_cast<std::uint16_t>(largest | 0x8000), infinity, nan, infinity};
  }
  [[nodiscard]] Halves Expected(bool saturated) const {
    const auto [type, largest, infinity, nan] = GetParam();
    const std::uint16_t top = saturated ? largest : infinity;
    return {top, static_cast<std::uint16_t>(top | 0x8000), top, nan, infinity};
  }
  static std::vector<std::int32_t> Index() { return {0, 1, 2, 3}; }
  [[nodiscard]] Halves Updates() const {
    const Halves target = Target();
    return {target.begin(), target.begin() + 4};
  }

  static void ForBothModes(const std::function<void(bool saturated)>& body) {
    for (const bool saturated : {true, false, true}) {
      ASSERT_EQ(aclrtSetDeviceSatMode(saturated ? ACL_RT_OVERFLOW_MODE_SATURATION
                                                : ACL_RT_OVERFLOW_MODE_INFNAN),
                ACL_SUCCESS);
      body(saturated);
    }
  }
};

aclTensor* MakeTensor(std::int64_t size, aclDataType type, void* data) {
  return aclCreateTensor(&size, 1, type, nullptr, 0, ACL_FORMAT_ND, &size, 1, data);
}

TEST_P(Saturation, AtbIndexAdd) {
  atb::Context* context = nullptr;
  ASSERT_EQ(atb::CreateContext(&context), 0);
  const OwnStream stream;
  ASSERT_EQ(context->SetExecuteStream(stream), 0);
  atb::infer::IndexAddParam param;
  param.indexType = atb::infer::IndexAddParam::INDEX_ADD;
  param.axis = 0;
  atb::Operation* operation = nullptr;
  ASSERT_EQ(atb::CreateOperation(param, &operation), 0);
  {
    const Block target{BytesOf(Target())};
    const Block index{BytesOf(Index())};
    const Block updates{BytesOf(Updates())};
    const std::uint16_t one = GetParam().type == ACL_FLOAT16 ? 0x3C00 : 0x3F80;
    const Block alpha{BytesOf(Halves{one})};
    const auto tensor = [](aclDataType type, std::int64_t size, void* data) {
      atb::Tensor made;
      made.desc.dtype = type;
      made.desc.format = ACL_FORMAT_ND;
      made.desc.shape.dimNum = 1;
      made.desc.shape.dims[0] = size;
      made.dataSize = atb::Utils::GetTensorSize(made);
      made.deviceData = data;
      return made;
    };
    const aclDataType type = GetParam().type;
    atb::VariantPack pack;
    pack.inTensors = {tensor(type, 5, target.get()), tensor(ACL_INT32, 4, index.get()),
                      tensor(type, 4, updates.get()), tensor(type, 1, alpha.get())};
    pack.outTensors = {tensor(type, 5, target.get())};
    std::uint64_t size = 0;
    ASSERT_EQ(operation->Setup(pack, size, context), 0);
    ForBothModes([&](bool saturated) {
      target.Write(BytesOf(Target()));
      ASSERT_EQ(operation->Execute(pack, nullptr, 0, context), 0);
      ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      EXPECT_EQ(Read(target, 5), Expected(saturated)) << saturated;
    });
  }
  EXPECT_EQ(atb::DestroyOperation(operation), 0);
  EXPECT_EQ(atb::DestroyContext(context), 0);
}

TEST_P(Saturation, AclnnIndexAddAndV2) {
  const Block target{BytesOf(Target())};
  const Block index{BytesOf(Index())};
  const Block updates{BytesOf(Updates())};
  aclTensor* const self = MakeTensor(5, GetParam().type, target.get());
  aclTensor* const indices = MakeTensor(4, ACL_INT32, index.get());
  aclTensor* const source = MakeTensor(4, GetParam().type, updates.get());
  float one = 1.0F;
  aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
  for (const bool v2 : {false, true}) {
    ForBothModes([&](bool saturated) {
      target.Write(BytesOf(Target()));
      std::uint64_t size = 0;
      aclOpExecutor* executor = nullptr;
      ASSERT_EQ(v2 ? aclnnIndexAddV2GetWorkspaceSize(self, 0, indices, source, alpha, 1, self,
                                                     &size, &executor)
                   : aclnnIndexAddGetWorkspaceSize(self, 0, indices, source, alpha, self, &size,
                                                   &executor),
                ACLNN_SUCCESS);
      const Block workspace{size + 1};
      ASSERT_EQ(v2 ? aclnnIndexAddV2(workspace.get(), size, executor, nullptr)
                   : aclnnIndexAdd(workspace.get(), size, executor, nullptr),
                ACLNN_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
      EXPECT_EQ(Read(target, 5), Expected(saturated)) << saturated << v2;
    });
  }
  for (const aclTensor* tensor : {self, indices, source}) {
    EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  }
  EXPECT_EQ(aclDestroyScalar(alpha), ACLNN_SUCCESS);
}

TEST_P(Saturation, Cast) {
  const std::vector<double> values = {1e300, -1e300, HUGE_VAL, NAN, 0.0};
  const Block from{BytesOf(values)};
  const Block to{10};
  aclTensor* const src = MakeTensor(5, ACL_DOUBLE, from.get());
  aclTensor* const self = MakeTensor(5, GetParam().type, to.get());
  ForBothModes([&](bool saturated) {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnInplaceCopyGetWorkspaceSize(self, src, &size, &executor), ACLNN_SUCCESS);
    ASSERT_EQ(aclnnInplaceCopy(nullptr, size, executor, nullptr), ACLNN_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    Halves expected = Expected(saturated);
    expected[4] = 0;
    EXPECT_EQ(Read(to, 5), expected) << saturated;
  });
  EXPECT_EQ(aclDestroyTensor(src), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(self), ACLNN_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Formats, Saturation,
                         testing::Values(Format{ACL_FLOAT16, 0x7BFF, 0x7C00, 0x7E00},
                                         Format{ACL_BF16, 0x7F7F, 0x7F80, 0x7FC0}),
                         [](const auto& each) {
                           return each.param.type == ACL_FLOAT16 ? "Float16" : "Bf16";
                         });

}  // namespace
}  // namespace belay::test
