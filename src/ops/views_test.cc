#include "ops/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace belay::ops {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

TensorView View(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& strides,
                DataType dtype = DataType::kFloat) {
  TensorView view{dtype, Format::kNd, {}, {}};
  view.dims.rank = dims.size();
  for (std::size_t i = 0; i < dims.size() && i < Dims::kMaxRank; ++i) {
    view.dims.sizes[i] = dims[i];
    view.strides[i] = strides[i];
  }
  return view;
}

void ExpectRefused(const Status& status, const char* text) {
  EXPECT_EQ(status.fault(), Fault::kInvalidParam);
  EXPECT_THAT(status.message(), HasSubstr(text));
}

TEST(Views, WellFormedOnesPass) {
  EXPECT_TRUE(CheckView("x", View({}, {})).ok());
  EXPECT_TRUE(CheckView("x", View({2, 3}, {3, 1})).ok());
  EXPECT_TRUE(CheckView("x", View({2, 3}, {0, 0})).ok());
  EXPECT_TRUE(CheckView("x", View({0, 5}, {kHuge, 1})).ok());  // no element is that far away
  EXPECT_TRUE(CheckView("x", View({1, 5}, {7, 1})).ok());
}

TEST(Views, OthersAreRefused) {
  ExpectRefused(CheckView("x", View(std::vector<std::int64_t>(9, 1), std::vector<std::int64_t>(9))),
                "x has 9 dimensions; allowed 0 to 8");
  ExpectRefused(CheckView("x", View({2, -3}, {1, 1})), "dimension 1 of x is -3");
  ExpectRefused(CheckView("x", View({2, 3}, {-3, 1})), "stride 0 of x is -3");
  ExpectRefused(CheckView("x", View({1}, {1}, DataType::kInt4)), "x is of type int4");
  ExpectRefused(CheckView("x", View({1}, {1}, static_cast<DataType>(99))), "dtype 99");
  ExpectRefused(CheckView("x", View({kHuge, 2}, {0, 0})), "overflows");
  ExpectRefused(CheckView("x", View({2}, {kHuge})), "overflows");
  ExpectRefused(CheckView("x", View({1 << 30, 1 << 30}, {1 << 30, 1})), "overflows");
}

// Who has asked once need not be asked again, and what nobody can mean is never taken for known.
TEST(Views, WhatIsKnownPasses) {
  TensorView view = View({2, 3}, {3, 1});
  EXPECT_TRUE(IsWellFormed(view));
  EXPECT_FALSE(view.known_well_formed);
  view.known_well_formed = true;
  EXPECT_TRUE(CheckView("x", view).ok());
  EXPECT_FALSE(IsWellFormed(View({2, -3}, {1, 1})));
  EXPECT_FALSE(IsWellFormed(View({2}, {kHuge})));
}

TEST(Views, WrittenElementsLieApart) {
  EXPECT_TRUE(CheckWritableView("out", View({2, 3}, {3, 1})).ok());
  EXPECT_TRUE(CheckWritableView("out", View({3, 2}, {1, 3})).ok());
  EXPECT_TRUE(CheckWritableView("out", View({2, 2}, {3, 2})).ok());
  EXPECT_TRUE(CheckWritableView("out", View({1, 2}, {0, 1})).ok());
  EXPECT_TRUE(CheckWritableView("out", View({0, 2}, {0, 0})).ok());
  ExpectRefused(CheckWritableView("out", View({2, 3}, {0, 1})), "two of its indices");
  ExpectRefused(CheckWritableView("out", View({2, 3}, {2, 1})),
                "out is [2, 3] with strides [2, 1]");
}

TEST(Views, ExtentAndContiguity) {
  EXPECT_EQ(LayoutOf(View({}, {})).ExtentBytes(), 4U);
  EXPECT_EQ(LayoutOf(View({2, 3}, {10, 1})).ExtentBytes(), 52U);
  EXPECT_EQ(LayoutOf(View({2, 0}, {10, 1})).ExtentBytes(), 0U);
  EXPECT_TRUE(LayoutOf(View({2, 3}, {3, 1})).IsContiguous());
  EXPECT_TRUE(LayoutOf(View({2, 1, 3}, {3, 77, 1})).IsContiguous());
  EXPECT_TRUE(LayoutOf(View({2, 0}, {5, 5})).IsContiguous());
  EXPECT_FALSE(LayoutOf(View({2, 3}, {4, 1})).IsContiguous());
  EXPECT_FALSE(LayoutOf(View({3, 2}, {1, 3})).IsContiguous());
  EXPECT_TRUE(ContiguousLayout(LayoutOf(View({3, 2}, {1, 3}))).IsContiguous());
}

TEST(Views, SharingIsByElement) {
  const Layout even = LayoutOf(View({8}, {2}));
  EXPECT_FALSE(ShareBytes(even, 1000, even, 1004));
  EXPECT_TRUE(ShareBytes(even, 1000, even, 1008));
  EXPECT_TRUE(ShareBytes(even, 1000, even, 1002));
  EXPECT_FALSE(ShareBytes(even, 1000, even, 2000));
  EXPECT_FALSE(ShareBytes(even, 1000, LayoutOf(View({0}, {1})), 1000));
  EXPECT_TRUE(AreSameView(even, 1000, even, 1000));
  EXPECT_FALSE(AreSameView(even, 1000, even, 1008));
  EXPECT_FALSE(AreSameView(even, 1000, LayoutOf(View({8}, {1})), 1000));
  EXPECT_TRUE(AreSameView(LayoutOf(View({1}, {5})), 1000, LayoutOf(View({1}, {9})), 1000));
  EXPECT_TRUE(AreSameView(even, 1000, LayoutOf(View({1, 8, 1}, {7, 2, 3})), 1000));
  EXPECT_FALSE(AreSameView(even, 1000, LayoutOf(View({2, 4}, {8, 2})), 1000));
}

TEST(Views, APlanComparesItsAddresses) {
  Plan plan;
  const TensorView row = View({4}, {1});
  const ViewUse uses[] = {{"x", &row, AccessMode::kRead},
                          {"w", &row, AccessMode::kRead},
                          {"out", &row, AccessMode::kWrite}};
  AddViews(plan, plan.EmplaceParameters<ViewSet>(), uses);
  ASSERT_EQ(plan.accesses().size(), 3U);
  EXPECT_EQ(plan.accesses()[2].extent, 16U);
  std::byte memory[64];
  const auto check = [&](std::size_t x, std::size_t w, std::size_t out) {
    const std::array<void*, 3> addresses = {memory + x, memory + w, memory + out};
    return plan.check_addresses(plan, addresses);
  };
  EXPECT_TRUE(check(0, 0, 16).ok());  // inputs may share
  EXPECT_TRUE(check(0, 32, 0).ok());  // in place
  const Status status = check(0, 32, 44);
  EXPECT_EQ(status.fault(), Fault::kTensorAddr);
  EXPECT_THAT(status.message(), testing::AllOf(HasSubstr("out at"), HasSubstr("w at")));
}

}  // namespace
}  // namespace belay::ops
