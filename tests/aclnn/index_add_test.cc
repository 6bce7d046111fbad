// aclnnIndexAdd and aclnnIndexAddV2: each published check, in its order; empty tensors, products
// and the two behaviours.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "aclnn/index_case.h"
#include "aclnn/index_faults.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/level2/aclnn_index_add_v2.h"
#include "opdev/op_errno.h"

namespace belay::test {
namespace {

using Faults = std::vector<CaseFault>;

// self and out [2, 3], index [2], source [2, 3].
IndexCase GoodCase(IndexOp op) {
  IndexCase call;
  call.op = op;
  call.mode = 1;
  call.self = Contiguous<float>(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  call.index = Contiguous<std::int32_t>(ACL_INT32, {2}, {1, 1});
  call.source = Contiguous<float>(ACL_FLOAT, {2, 3}, {10, 20, 30, 40, 50, 60});
  call.out = Contiguous<float>(ACL_FLOAT, {2, 3}, {7, 7, 7, 7, 7, 7});
  return call;
}

Faults FaultsOf(IndexOp op) {
  Faults faults = {
      {"self is of type complex64; allowed float, int32, float16, double, int16, int8, uint8, "
       "int64, bool, bf16",
       [](IndexCase& call) { call.self.type = ACL_COMPLEX64; }},
      {"index is of type float; allowed int32, int64",
       [](IndexCase& call) { call.index.type = ACL_FLOAT; }},
      {"source is of type double; allowed float, that of self",
       [](IndexCase& call) { call.source.type = ACL_DOUBLE; }},
      {"out is of type int32; allowed float, that of self",
       [](IndexCase& call) { call.out.type = ACL_INT32; }},
      {"self has 9 dimensions; allowed 0 to 8",
       [](IndexCase& call) { SetDims(call.self, Shape(9, 1)); }},
      {"source has 9 dimensions; allowed 0 to 8",
       [](IndexCase& call) { SetDims(call.source, Shape(9, 1)); }},
      {"dim is 2; allowed -2 to 1 (self has 2 dimensions)", [](IndexCase& call) { call.dim = 2; }},
      {"source has 1 dimensions; allowed 2", [](IndexCase& call) { SetDims(call.source, {2}); }},
      {"dimension 1 of source is 4; allowed 3, as self has",
       [](IndexCase& call) {
         call.dim = 0;
         SetDims(call.source, {2, 4});
       }},
      {"index has 2 dimensions; allowed 0 and 1",
       [](IndexCase& call) {
         SetDims(call.index, {2, 1});
       }},
      {"index has 1 elements; allowed 2, as dimension 0 of source",
       [](IndexCase& call) { SetDims(call.index, {1}); }},
      {"out is [2, 4]; allowed [2, 3], the shape of self",
       [](IndexCase& call) {
         SetDims(call.out, {2, 4});
       }},
      {"alpha is a scalar of type string; allowed int8, int16, int32, int64, uint8, uint16, "
       "uint32, uint64, float16, bf16, float, double, bool, complex64, complex128",
       [](IndexCase& call) {
         call.alpha = {ACL_STRING, Bytes(64), 0};
       }},
  };
  if (op == IndexOp::kAddV2) {
    faults.push_back(
        {"alpha has the imaginary part 1; allowed numbers without one, as float has none",
         [](IndexCase& call) {
           call.alpha = {ACL_COMPLEX64, {0, 0, 0, 0x3F, 0, 0, 0x80, 0x3F}, 0};
         }});
    faults.push_back(
        {"mode is 0, dim 1 and self [2, 3] of type float; allowed with mode 0: dim 0 "
         "and -2 of two dimensions of float, float16, bf16, int32 and int16",
         [](IndexCase& call) {
           call.mode = 0;
           call.dim = 1;
           SetDims(call.self, {2, 3});
           call.index = Contiguous<std::int32_t>(ACL_INT32, {3}, {0, 0, 0});
         }});
  }
  faults.push_back({"out is [2, 3] with strides [0, 1]", [](IndexCase& call) {
                      call.out.strides = {0, 1};
                    }});
  return faults;
}

class IndexAddTest : public DeviceTest, public testing::WithParamInterface<IndexOp> {};

TEST_P(IndexAddTest, ChecksInTheirOrder) {
  ExpectFaultsInOrder(GoodCase(GetParam()), FaultsOf(GetParam()));
}

TEST_P(IndexAddTest, AddsInTheOrderOfTheIndex) {
  const IndexResult result = RunCall(GoodCase(GetParam()));
  EXPECT_EQ(result.phase_one, ACLNN_SUCCESS);
  EXPECT_EQ(result.workspace_size, 0U);
  EXPECT_EQ(result.phase_two, ACLNN_SUCCESS);
  EXPECT_EQ(result.wait, ACL_SUCCESS);
  EXPECT_TRUE(result.inputs_unchanged);
  EXPECT_EQ(ValuesOf<float>(result.out), (std::vector<float>{1, 2, 3, 54, 75, 96}));
}

TEST_P(IndexAddTest, ScalarsCountAsOneRow) {
  IndexCase call = GoodCase(GetParam());
  call.dim = -1;
  call.self = Contiguous<float>(ACL_FLOAT, {}, {1});
  call.out = call.self;
  call.index = Contiguous<std::int64_t>(ACL_INT64, {}, {0});
  call.source = Contiguous<float>(ACL_FLOAT, {}, {4});
  EXPECT_EQ(ValuesOf<float>(RunCall(call).out), std::vector<float>{5});
  call.index = Contiguous<std::int64_t>(ACL_INT64, {3}, {0, 0, 0});
  call.source = Contiguous<float>(ACL_FLOAT, {3}, {4, 5, 6});
  EXPECT_EQ(ValuesOf<float>(RunCall(call).out), std::vector<float>{16});

  call.dim = 1;
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "dim is 1; allowed -1 to 0 (self has 0 dimensions)");
  call.dim = 0;
  SetDims(call.source, {3, 1});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "source has 2 dimensions; allowed 0 and 1, as self has 0");
  // Not the other way round.
  call = GoodCase(GetParam());
  call.self = Contiguous<float>(ACL_FLOAT, {2}, {1, 2});
  call.out = call.self;
  call.index = Contiguous<std::int64_t>(ACL_INT64, {}, {0});
  call.source = Contiguous<float>(ACL_FLOAT, {}, {4});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID, "source has 0 dimensions; allowed 1");
}

TEST_P(IndexAddTest, MessagesKnowThatAScalarHasNoDimension) {
  IndexCase call = GoodCase(GetParam());
  call.dim = 0;
  call.self = call.out = Contiguous<float>(ACL_FLOAT, {}, {1});
  call.index = Contiguous<std::int64_t>(ACL_INT64, {1}, {1});
  call.source = Contiguous<float>(ACL_FLOAT, {}, {4});
  ExpectRefused(RunCall(call).wait, 507035, "index[0] is 1; allowed 0..0 (out is a scalar)");
  call.index = Contiguous<std::int64_t>(ACL_INT64, {2}, {0, 0});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "index has 2 elements; allowed 1, as source is a scalar");
  call.source = Contiguous<float>(ACL_FLOAT, {3}, {4, 5, 6});
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "index has 2 elements; allowed 3, as dimension 0 of source");
}

TEST_P(IndexAddTest, EmptyTensorsLeaveOutAlone) {
  IndexCase no_source = GoodCase(GetParam());
  no_source.index = Contiguous(ACL_INT32, {0});
  no_source.source = Contiguous(ACL_FLOAT, {0, 3});
  IndexCase no_self = GoodCase(GetParam());
  no_self.self = no_self.out = Contiguous(ACL_FLOAT, {2, 0});
  no_self.source = Contiguous(ACL_FLOAT, {2, 0});
  for (const IndexCase& call : {no_source, no_self}) {
    const IndexResult result = RunCall(call);
    EXPECT_EQ(result.phase_one, ACLNN_SUCCESS);
    EXPECT_EQ(result.workspace_size, 0U);
    EXPECT_EQ(result.phase_two, ACLNN_SUCCESS);
    EXPECT_EQ(result.wait, ACL_SUCCESS);
    EXPECT_EQ(result.out, call.out.storage);
  }
}

TEST_P(IndexAddTest, AnIndexOutsideIsAFaultAndNothingIsWritten) {
  for (const std::int64_t bad : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{1} << 32}) {
    IndexCase call = GoodCase(GetParam());
    call.index = Contiguous<std::int64_t>(ACL_INT64, {2}, {1, bad});
    const IndexResult result = RunCall(call);
    EXPECT_EQ(result.phase_one, ACLNN_SUCCESS);
    EXPECT_EQ(result.phase_two, ACLNN_SUCCESS);
    ExpectRefused(result.wait, 507035, "aclnnIndexAdd",
                  "index[1] is " + std::to_string(bad) + "; allowed 0..1 (dimension 0 of out)");
    EXPECT_EQ(result.out, call.out.storage);
  }
}

TEST_P(IndexAddTest, NullPointers) {
  const IndexCase call = GoodCase(GetParam());
  ExpectNullsRefused(call, {"self", "index", "source", "alpha", "out"});
}

INSTANTIATE_TEST_SUITE_P(Both, IndexAddTest, testing::Values(IndexOp::kAdd, IndexOp::kAddV2),
                         [](const auto& instance) {
                           return instance.param == IndexOp::kAdd ? "IndexAdd" : "IndexAddV2";
                         });

void ExpectServed() {
  for (const IndexOp op : {IndexOp::kAdd, IndexOp::kAddV2}) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    IndexCase call = GoodCase(op);
    EXPECT_EQ(PhaseOneOf(call), ACLNN_SUCCESS);
    call.self = call.out = Contiguous(ACL_BF16, {2, 3});
    call.source = Contiguous(ACL_BF16, {2, 3});
    EXPECT_EQ(PhaseOneOf(call), ACLNN_SUCCESS);
  }
}

void ExpectNotServed() {
  for (const IndexOp op : {IndexOp::kAdd, IndexOp::kAddV2}) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    IndexCase call = GoodCase(op);
    call.self.type = ACL_COMPLEX64;  // comes after
    ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID, "is not served on Ascend",
                  "allowed on Atlas A2");
  }
}

TEST(IndexAddProducts, AsTheDocumentsSay) {
  for (const char* soc : {"Ascend950PR_9599", "Ascend910_9382", "Ascend910B1"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, ExpectServed);
  }
  for (const char* soc : {"Ascend310B1", "Ascend310P3", "Ascend910A"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, ExpectNotServed);
  }
}

IndexCase FastCase() {
  IndexCase call = GoodCase(IndexOp::kAddV2);
  call.mode = 0;
  return call;
}

// Each limit of mode 0 on its own.
void ExpectFastLimits(aclnnStatus code) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  IndexCase call = FastCase();
  call.dim = -2;
  EXPECT_EQ(PhaseOneOf(call), ACLNN_SUCCESS);
  call.dim = -1;
  call.index = Contiguous<std::int32_t>(ACL_INT32, {3}, {0, 0, 0});
  ExpectRefused(PhaseOneOf(call), code, "mode is 0, dim -1");
  call = FastCase();
  for (View* view : {&call.self, &call.source, &call.out}) SetDims(*view, {2, 3, 1});
  ExpectRefused(PhaseOneOf(call), code, "self [2, 3, 1]");
  for (const aclDataType type :
       {ACL_DOUBLE, ACL_INT8, ACL_UINT8, ACL_INT64, ACL_BOOL, ACL_FLOAT16, ACL_BF16, ACL_INT16}) {
    call = FastCase();
    call.self = call.source = call.out = Contiguous(type, {2, 3});
    const bool fast = type == ACL_FLOAT16 || type == ACL_BF16 || type == ACL_INT16;
    EXPECT_EQ(PhaseOneOf(call), fast ? ACLNN_SUCCESS : code) << type;
  }
  // Mode 0 counts for nothing while sums have to be deterministic.
  call = FastCase();
  call.dim = 1;
  call.index = Contiguous<std::int32_t>(ACL_INT32, {3}, {0, 0, 0});
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(PhaseOneOf(call), ACLNN_SUCCESS);
}

TEST(IndexAddV2, LimitsOfModeZero) {
  ExpectChildPasses({}, [] { ExpectFastLimits(ACLNN_ERR_PARAM_INVALID); });
  ExpectChildPasses({{"BELAY_BEHAVIOR", "released"}},
                    [] { ExpectFastLimits(ACLNN_ERR_INNER_NULLPTR); });
}

class IndexAddV2Test : public DeviceTest {};

TEST_F(IndexAddV2Test, AlphaKeepsItsFraction) {
  IndexCase call = GoodCase(IndexOp::kAddV2);
  call.self = call.source = call.out = Contiguous(ACL_INT32, {2, 3});
  call.alpha = Alpha::Of(ACL_FLOAT, 1.5F);
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "alpha is 1.5; allowed whole numbers, as int32 has no fraction");
  call.alpha = Alpha::Of(ACL_FLOAT, 2.0F);
  EXPECT_EQ(PhaseOneOf(call), ACLNN_SUCCESS);
  call.self = call.source = call.out = Contiguous(ACL_BOOL, {2, 3});
  call.alpha = Alpha::Of(ACL_DOUBLE, 0.25);
  ExpectRefused(PhaseOneOf(call), ACLNN_ERR_PARAM_INVALID,
                "alpha is 0.25; allowed whole numbers, as bool has no fraction");
  // aclnnIndexAdd takes it, without the fraction.
  call.op = IndexOp::kAdd;
  EXPECT_EQ(PhaseOneOf(call), ACLNN_SUCCESS);
}

TEST_F(IndexAddV2Test, ModeZeroIgnoresAlpha) {
  IndexCase call = FastCase();
  call.alpha = Alpha::Of(ACL_FLOAT, 100.0F);
  EXPECT_EQ(ValuesOf<float>(RunCall(call).out), (std::vector<float>{1, 2, 3, 54, 75, 96}));
}

// 2^24 and two ones: a float cannot hold the first sum.
TEST_F(IndexAddV2Test, SumsAreDoubleUnlessTheyHaveToBeDeterministic) {
  IndexCase call = GoodCase(IndexOp::kAddV2);
  call.self = call.out = Contiguous<float>(ACL_FLOAT, {1}, {16777216});
  call.index = Contiguous<std::int32_t>(ACL_INT32, {2}, {0, 0});
  call.source = Contiguous<float>(ACL_FLOAT, {2}, {1, 1});
  const auto sum = [&] { return ValuesOf<float>(RunCall(call).out)[0]; };
  EXPECT_EQ(sum(), 16777218.0F);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), ACL_SUCCESS);
  EXPECT_EQ(sum(), 16777216.0F);
  // The context's own setting goes first.
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), ACL_SUCCESS);
  EXPECT_EQ(sum(), 16777218.0F);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(sum(), 16777216.0F);
  call.op = IndexOp::kAdd;
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), ACL_SUCCESS);
  EXPECT_EQ(sum(), 16777216.0F);
}

// 1 + 2^-11 is a tie of float16, which 2^-40 decides: a float does not see it.
TEST_F(IndexAddV2Test, HalvesAreRoundedOnceFromDouble) {
  IndexCase call = GoodCase(IndexOp::kAddV2);
  call.self = call.out = Contiguous<std::uint16_t>(ACL_FLOAT16, {1}, {0x3C00});
  call.index = Contiguous<std::int32_t>(ACL_INT32, {2}, {0, 0});
  call.source = Contiguous<std::uint16_t>(ACL_FLOAT16, {2}, {0x1000, 0x0001});
  call.alpha = Alpha::Of(ACL_DOUBLE, 1.0 + 0x1p-30);
  EXPECT_EQ(ValuesOf<std::uint16_t>(RunCall(call).out)[0], 0x3C01);
  call.op = IndexOp::kAdd;
  call.source = Contiguous<std::uint16_t>(ACL_FLOAT16, {2}, {0x1000, 0x0000});
  EXPECT_EQ(ValuesOf<std::uint16_t>(RunCall(call).out)[0], 0x3C00);
}

}  // namespace
}  // namespace belay::test
