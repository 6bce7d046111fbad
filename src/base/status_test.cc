#include "base/status.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace belay {
namespace {

TEST(Status, OkByDefault) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.fault(), Fault::kNone);
  EXPECT_EQ(status.message(), "");
}

TEST(Status, CopiesAndMovesKeepBoth) {
  static_assert(std::is_nothrow_copy_constructible_v<Status>);
  static_assert(std::is_nothrow_move_assignable_v<Status>);
  const Status refused(Fault::kInvalidParam, "text");
  Status copy = refused;
  EXPECT_EQ(copy.fault(), Fault::kInvalidParam);
  EXPECT_EQ(copy.message(), "text");
  Status other;
  other = copy;
  EXPECT_EQ(other.message(), "text");
  const Status moved = std::move(other);
  EXPECT_EQ(moved.fault(), Fault::kInvalidParam);
  copy = Status();
  EXPECT_TRUE(copy.ok());
}

TEST(Status, RefusalsSayWhatWasSeenAndWhatIsAllowed) {
  EXPECT_EQ(NotAllowed(Fault::kInvalidParam, "size", 0, "1 and above").message(),
            "size is 0; allowed 1 and above");
  EXPECT_EQ(NullPointer("devPtr").fault(), Fault::kNullPointer);
  EXPECT_EQ(NullPointer("devPtr").message(), "devPtr is null; allowed a valid pointer");
  EXPECT_EQ(Refuse(Fault::kInternal, "{} of {}", 1, "x").message(), "1 of x");
}

TEST(Status, BracesOfACallerAreNoFormat) {
  EXPECT_EQ(NotAllowed(Fault::kInvalidParam, "path", std::string("{}{"), "others").message(),
            "path is {}{; allowed others");
}

TEST(Status, WhatCannotBeDescribedIsLeftOut) {
  EXPECT_EQ(Described([]() -> std::string { throw std::runtime_error("no"); }), "");
  EXPECT_EQ(Described([] { return "text"; }), "text");
  EXPECT_EQ(Text("{}-{}", 1, 2), "1-2");
}

TEST(Status, ReturnIfErrorLeavesOnlyOnError) {
  const auto pass = [](const Status& status) -> Status {
    BELAY_RETURN_IF_ERROR(status);
    return {Fault::kInternal, "went on"};
  };
  EXPECT_EQ(pass({}).message(), "went on");
  EXPECT_EQ(pass({Fault::kInvalidParam, "left"}).message(), "left");
}

TEST(Status, StatusOrHoldsOneOrTheOther) {
  const StatusOr<int> value = 3;
  const StatusOr<int> error = Unexpected({Fault::kOutOfMemory, "full"});
  EXPECT_TRUE(value);
  EXPECT_EQ(*value, 3);
  EXPECT_FALSE(error);
  EXPECT_EQ(error.error().fault(), Fault::kOutOfMemory);
}

}  // namespace
}  // namespace belay
