// Operations whose tensors lie in the memory of another device.
#include <gtest/gtest.h>

#include <memory>

#include "support/atb_test.h"
#include "support/many_devices.h"

namespace belay::test {
namespace {

// A SetValue of device 0 whose source lies on device 1.
class PeerLaunch : public ManyDevices {
 protected:
  void SetUp() override {
    ManyDevices::SetUp();
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(atb::CreateContext(&context_), atb::NO_ERROR);
    ASSERT_EQ(context_->SetExecuteStream(stream_), atb::NO_ERROR);
    dst_ = std::make_unique<DeviceTensor>(ACL_FLOAT16, Shape{1, 4}, ToHalves({1, 2, 3, 4}));
    operation_ = OwnOperation(SetValueParam({0, 1}, {1, 3}, {1, 1}));
    {
      const OnDevice one(1);
      src_ = std::make_unique<DeviceTensor>(ACL_FLOAT16, Shape{1, 2}, ToHalves({50, 51}));
    }
    pack_ = Pack({*dst_, *src_});
    uint64_t workspace = 1;
    ASSERT_EQ(operation_->Setup(pack_, workspace, context_), atb::NO_ERROR);
    ASSERT_EQ(workspace, 0U);
  }
  void TearDown() override {
    src_.reset();
    dst_.reset();
    operation_ = OwnOperation();
    EXPECT_EQ(atb::DestroyContext(context_), atb::NO_ERROR);
    ManyDevices::TearDown();
  }

  atb::Status Execute() { return operation_->Execute(pack_, nullptr, 0, context_); }
  void ExpectExecuteRefused() {
    EXPECT_EQ(Execute(), atb::ERROR_INVALID_TENSOR_ADDR);
    EXPECT_THAT(TakeMessages(),
                testing::AllOf(testing::HasSubstr("src is "), testing::HasSubstr("of device 1"),
                               testing::HasSubstr("peer access to device 1")));
  }

  aclrtStream stream_ = nullptr;
  atb::Context* context_ = nullptr;
  std::unique_ptr<DeviceTensor> dst_;
  std::unique_ptr<DeviceTensor> src_;
  OwnOperation operation_;
  atb::VariantPack pack_;
};

TEST_F(PeerLaunch, IsLegalExactlyWithAccess) {
  ExpectExecuteRefused();
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  ASSERT_EQ(Execute(), atb::NO_ERROR) << TakeMessages();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(ToFloats(dst_->Read<aclFloat16>()), std::vector<float>({1, 50, 51, 4}));
}

TEST_F(PeerLaunch, WhatWasGoodOnceIsForgottenWithTheAccess) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(Execute(), atb::NO_ERROR);
    ASSERT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
    ExpectExecuteRefused();
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(PeerLaunch, AccessOfThePeerIsNoHelp) {
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS);
  }
  ExpectExecuteRefused();
}

TEST_F(PeerLaunch, TheStreamsDeviceCountsAndNotTheCurrentOne) {
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  const OnDevice two(2);
  EXPECT_EQ(Execute(), atb::NO_ERROR) << TakeMessages();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
