// aclnnIndexCopy and aclnnInplaceIndexCopy: each published check, in its order; empty tensors,
// duplicates and products.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aclnn/index_case.h"
#include "aclnn/index_faults.h"
#include "aclnnop/level2/aclnn_index_copy.h"
#include "opdev/op_errno.h"

namespace belay::test {
namespace {

// selfRef and outRef [2, 3], index [2], source [2, 3].
IndexCase GoodCase(IndexOp op) {
  IndexCase call;
  call.op = op;
  call.self = Contiguous<float>(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  call.index = Contiguous<std::int32_t>(ACL_INT32, {2}, {1, 1});
  call.source = Contiguous<float>(ACL_FLOAT, {2, 3}, {10, 20, 30, 40, 50, 60});
  call.out = Contiguous<float>(ACL_FLOAT, {2, 3}, {7, 7, 7, 7, 7, 7});
  return call;
}

std::vector<CaseFault> FaultsOf(IndexOp op) {
  const bool has_out = op == IndexOp::kCopy;
  std::vector<CaseFault> faults = {
      {"selfRef is of type uint32; allowed int64, double, int16, int8, uint8, "
       "complex64, complex128, bool, float, float16, int32, bf16",
       [](IndexCase& call) { call.self.type = ACL_UINT32; }},
      {"index is of type float; allowed int32, int64",
       [](IndexCase& call) { call.index.type = ACL_FLOAT; }},
      {"source is of type double; allowed float, that of selfRef",
       [](IndexCase& call) { call.source.type = ACL_DOUBLE; }},
  };
  const auto add = [&](const char* message, void (*apply)(IndexCase&)) {
    faults.push_back({message, apply});
  };
  if (has_out) {
    add("outRef is of type int32; allowed float, that of selfRef",
        [](IndexCase& call) { call.out.type = ACL_INT32; });
  }
  add("selfRef has 9 dimensions; allowed 0 to 8",
      [](IndexCase& call) { SetDims(call.self, Shape(9, 1)); });
  add("source has 9 dimensions; allowed 0 to 8",
      [](IndexCase& call) { SetDims(call.source, Shape(9, 1)); });
  add("index has 2 dimensions; allowed 0 and 1", [](IndexCase& call) {
    SetDims(call.index, {2, 1});
  });
  if (has_out) {
    add("outRef is [2, 4]; allowed [2, 3], the shape of selfRef", [](IndexCase& call) {
      SetDims(call.out, {2, 4});
    });
  }
  add("index has 2 elements; allowed 1, as source is a scalar", [](IndexCase& call) {
    SetDims(call.index, {2});
    SetDims(call.source, {});
  });
  add("source has 1 dimensions; allowed 0 and 2, as selfRef has",
      [](IndexCase& call) { SetDims(call.source, {2}); });
  add("dim is -3; allowed -2 to 1 (selfRef has 2 dimensions)",
      [](IndexCase& call) { call.dim = -3; });
  add("slices of source across dimension 0 are [4]; allowed [3], as those of selfRef",
      [](IndexCase& call) {
        SetDims(call.source, {2, 4});
      });
  add("index has 1 elements; allowed 2, as dimension 0 of source",
      [](IndexCase& call) { SetDims(call.index, {1}); });
  if (has_out) {
    add("outRef has format NCHW; allowed ND, as selfRef has",
        [](IndexCase& call) { call.out.format = ACL_FORMAT_NCHW; });
    add("outRef is [2, 3] with strides [0, 1]", [](IndexCase& call) { call.out.strides = {0, 1}; });
  } else {
    add("selfRef is [2, 3] with strides [0, 1]", [](IndexCase& call) {
      call.self.strides = {0, 1};
    });
  }
  return faults;
}

class IndexCopyTest : public DeviceTest, public testing::WithParamInterface<IndexOp> {};

TEST_P(IndexCopyTest, ChecksInTheirOrder) {
  ExpectFaultsInOrder(GoodCase(GetParam()), FaultsOf(GetParam()));
}

TEST_P(IndexCopyTest, TheLastOneOfAnIndexStays) {
  const IndexResult result = RunCall(GoodCase(GetParam()));
  EXPECT_EQ(result.phase_one, ACLNN_SUCCESS);
  EXPECT_EQ(result.workspace_size, 0U);
  EXPECT_EQ(result.phase_two, ACLNN_SUCCESS);
  EXPECT_EQ(result.wait, ACL_SUCCESS);
  EXPECT_TRUE(result.inputs_unchanged);
  EXPECT_EQ(ValuesOf<float>(result.out), (std::vector<float>{1, 2, 3, 40, 50, 60}));
}

TEST_P(IndexCopyTest, ScalarsAreOneRow) {
  IndexCase call = GoodCase(GetParam());
  call.self = call.out = Contiguous<float>(ACL_FLOAT, {3}, {1, 2, 3});
  call.index = Contiguous<std::int64_t>(ACL_INT64, {}, {2});
  call.source = Contiguous<float>(ACL_FLOAT, {}, {4});
  EXPECT_EQ(ValuesOf<float>(RunCall(call).out), (std::vector<float>{1, 2, 4}));
  call.dim = -1;
  call.self = call.out = Contiguous<float>(ACL_FLOAT, {}, {1});
  call.index = Contiguous<std::int64_t>(ACL_INT64, {2}, {0, 0});
  call.source = Contiguous<float>(ACL_FLOAT, {2}, {4, 5});
  EXPECT_EQ(ValuesOf<float>(RunCall(call).out), std::vector<float>{5});
  call.dim = 1;
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "dim is 1; allowed -1 to 0 (selfRef has 0 dimensions)");
  // A scalar is no row of a matrix.
  call = GoodCase(GetParam());
  SetDims(call.index, {1});
  SetDims(call.source, {});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "source is a scalar; allowed slices [3] across dimension 0, as those of selfRef");
}

TEST_P(IndexCopyTest, MessagesKnowThatAScalarHasNoDimension) {
  IndexCase call = GoodCase(GetParam());
  call.self = call.out = Contiguous<float>(ACL_FLOAT, {}, {1});
  call.index = Contiguous<std::int64_t>(ACL_INT64, {1}, {1});
  call.source = Contiguous<float>(ACL_FLOAT, {}, {4});
  ExpectRefused(RunCall(call).wait, 507035,
                GetParam() == IndexOp::kCopy ? "index[0] is 1; allowed 0..0 (outRef is a scalar)"
                                             : "index[0] is 1; allowed 0..0 (selfRef is a scalar)");
  call.index = Contiguous<std::int64_t>(ACL_INT64, {2}, {0, 0});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "index has 2 elements; allowed 1, as source is a scalar");
  call.source = Contiguous<float>(ACL_FLOAT, {3}, {4, 5, 6});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "index has 2 elements; allowed 3, as dimension 0 of source");
}

TEST_P(IndexCopyTest, EmptyTensorsLeaveOutAlone) {
  IndexCase no_index = GoodCase(GetParam());
  no_index.index = Contiguous(ACL_INT32, {0});
  no_index.source = Contiguous(ACL_FLOAT, {0, 3});
  IndexCase no_self = GoodCase(GetParam());
  no_self.self = no_self.out = Contiguous(ACL_FLOAT, {2, 0});
  no_self.source = Contiguous(ACL_FLOAT, {2, 0});
  for (const IndexCase& call : {no_index, no_self}) {
    const IndexResult result = RunCall(call);
    EXPECT_EQ(result.phase_one, ACLNN_SUCCESS);
    EXPECT_EQ(result.workspace_size, 0U);
    EXPECT_EQ(result.phase_two, ACLNN_SUCCESS);
    EXPECT_EQ(result.wait, ACL_SUCCESS);
    EXPECT_EQ(result.out, (GetParam() == IndexOp::kCopy ? call.out : call.self).storage);
  }
}

TEST_P(IndexCopyTest, AnIndexOutsideIsAFaultAndNothingIsWritten) {
  const bool has_out = GetParam() == IndexOp::kCopy;
  for (const std::int32_t bad : {2, -1}) {
    IndexCase call = GoodCase(GetParam());
    call.index = Contiguous<std::int32_t>(ACL_INT32, {2}, {0, bad});
    const IndexResult result = RunCall(call);
    EXPECT_EQ(result.phase_two, ACLNN_SUCCESS);
    ExpectRefused(result.wait, 507035, "IndexCopy",
                  "index[1] is " + std::to_string(bad) + "; allowed 0..1 (dimension 0 of " +
                      (has_out ? "outRef)" : "selfRef)"));
    EXPECT_EQ(result.out, (has_out ? call.out : call.self).storage);
  }
}

TEST_P(IndexCopyTest, NullPointers) {
  std::vector<std::string> handles = {"selfRef", "index", "source"};
  if (GetParam() == IndexOp::kCopy) handles.push_back("outRef");
  ExpectNullsRefused(GoodCase(GetParam()), handles);
}

INSTANTIATE_TEST_SUITE_P(Both, IndexCopyTest,
                         testing::Values(IndexOp::kCopy, IndexOp::kInplaceCopy),
                         [](const auto& instance) {
                           return instance.param == IndexOp::kCopy ? "IndexCopy"
                                                                   : "InplaceIndexCopy";
                         });

void ExpectServed(bool with_unsigned) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  for (const IndexOp op : {IndexOp::kCopy, IndexOp::kInplaceCopy}) {
    for (const aclDataType type : {ACL_BF16, ACL_UINT32, ACL_UINT64}) {
      IndexCase call = GoodCase(op);
      call.self = call.source = call.out = Contiguous(type, {2, 3});
      const bool served = type == ACL_BF16 || with_unsigned;
      EXPECT_EQ(PhaseOneOf(call), served ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID) << type;
    }
  }
}

TEST(IndexCopyProducts, AsTheDocumentsSay) {
  ExpectChildPasses({{"BELAY_SOC", "Ascend950PR_9599"}}, [] { ExpectServed(true); });
  for (const char* soc : {"Ascend910_9382", "Ascend910B1"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, [] { ExpectServed(false); });
  }
  for (const char* soc : {"Ascend310B1", "Ascend310P3", "Ascend910A"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, [] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      for (const IndexOp op : {IndexOp::kCopy, IndexOp::kInplaceCopy}) {
        IndexCase call = GoodCase(op);
        call.self.type = ACL_UINT32;  // comes after
        ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID, "is not served on Ascend",
                      "allowed on Atlas A2");
      }
    });
  }
}

}  // namespace
}  // namespace belay::test
