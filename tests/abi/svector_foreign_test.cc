// SVector objects that other builds have filled.

#include "atb/svector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "abi/svector_counting.h"

namespace {

using atb::MaxSizeExceeded;
using atb::SVector;
using belay::test::Counting;
using belay::test::ExpectCounting;

// Objects that other builds have filled: a heap block without room behind the elements. What writes
// behind it is seen by AddressSanitizer.
class Foreign {
 public:
  // `elements` counting elements in a block for `slots` of them.
  Foreign(std::size_t capacity, std::size_t elements, std::size_t slots) {
    auto* const heap = static_cast<int64_t*>(std::malloc(slots * sizeof(int64_t)));
    for (std::size_t i = 0; i < std::min(elements, slots); ++i) {
      heap[i] = static_cast<int64_t>(i);
    }
    Write(0, capacity);
    Write(8, elements);
    Write(sizeof(vector) - 8, heap);
  }

  SVector<int64_t> vector;

 private:
  template <typename T>
  void Write(std::size_t offset, T value) {
    std::memcpy(reinterpret_cast<unsigned char*>(&vector) + offset, &value, sizeof(value));
  }
};

struct ForeignCase {
  std::size_t capacity;
  std::size_t elements;
};
const ForeignCase kForeignCases[] = {{0, 70},  {256, 70}, {100, 70}, {0, 3},   {256, 3},
                                     {100, 3}, {0, 0},    {256, 0},  {0, 255}, {256, 255}};

TEST(SVectorFromOtherBuilds, ReadAndCopied) {
  for (const auto& [capacity, elements] : kForeignCases) {
    Foreign foreign(capacity, elements, elements);
    ExpectCounting(foreign.vector, elements);
    SVector<int64_t> copy(foreign.vector);
    copy.push_back(static_cast<int64_t>(elements));
    ExpectCounting(copy, elements + 1);
    SVector<int64_t> assigned = {4};
    assigned = foreign.vector;
    assigned.push_back(static_cast<int64_t>(elements));
    EXPECT_EQ(assigned, copy);
    EXPECT_EQ(foreign.vector, Counting(elements));
  }
}

TEST(SVectorFromOtherBuilds, Grown) {
  for (const auto& [capacity, elements] : kForeignCases) {
    Foreign pushed(capacity, elements, elements);
    for (std::size_t i = elements; i < 256; ++i) {
      pushed.vector.push_back(static_cast<int64_t>(i));
    }
    ExpectCounting(pushed.vector, 256);
    EXPECT_THROW(pushed.vector.push_back(0), MaxSizeExceeded);

    Foreign inserted(capacity, elements, elements);
    inserted.vector.insert(0, -1);
    EXPECT_EQ(inserted.vector.size(), elements + 1);

    Foreign resized(capacity, elements, elements);
    resized.vector.resize(256);
    for (std::size_t i = 0; i < 256; ++i) {
      if (i >= elements) {
        resized.vector[i] = static_cast<int64_t>(i);
      }
    }
    ExpectCounting(resized.vector, 256);

    Foreign reserved(capacity, elements, elements);
    reserved.vector.reserve(200);
    reserved.vector.resize(200);
    EXPECT_EQ(reserved.vector.size(), 200U);
    for (std::size_t i = 0; i < std::min<std::size_t>(elements, 200); ++i) {
      EXPECT_EQ(reserved.vector[i], static_cast<int64_t>(i));
    }
  }
}

TEST(SVectorFromOtherBuilds, Assigned) {
  for (const auto& [capacity, elements] : kForeignCases) {
    Foreign foreign(capacity, elements, elements);
    foreign.vector = Counting(80);
    ExpectCounting(foreign.vector, 80);
    Foreign listed(capacity, elements, elements);
    listed.vector = {SEVENTY};
    ExpectCounting(listed.vector, 70);
  }
}

TEST(SVectorFromOtherBuilds, ShrunkAndGrown) {
  for (const auto& [capacity, elements] : kForeignCases) {
    Foreign foreign(capacity, elements, elements);
    foreign.vector.clear();
    foreign.vector.resize(elements);
    ExpectCounting(foreign.vector, elements);
    foreign.vector.clear();
    foreign.vector.push_back(0);
    ExpectCounting(foreign.vector, 1);
  }
}

TEST(SVectorFromOtherBuilds, GrowthShowsNoGarbage) {
  Foreign foreign(0, 3, 3);
  foreign.vector.resize(100);
  EXPECT_EQ(foreign.vector[2], 2);
  EXPECT_EQ(foreign.vector[3], 0);
  EXPECT_EQ(foreign.vector[99], 0);
}

// A reserve that shrank left fewer slots than elements.
TEST(SVectorFromOtherBuilds, FewerSlotsThanElements) {
  Foreign foreign(100, 150, 100);
  const SVector<int64_t> copy(foreign.vector);
  EXPECT_EQ(copy.size(), 150U);
  EXPECT_EQ(copy[99], 99);
  EXPECT_EQ(copy[149], 0);
  SVector<int64_t> assigned;
  assigned = foreign.vector;
  EXPECT_EQ(assigned, copy);
  foreign.vector.push_back(5);
  EXPECT_EQ(foreign.vector[149], 0);
  EXPECT_EQ(foreign.vector[150], 5);
}

}  // namespace
