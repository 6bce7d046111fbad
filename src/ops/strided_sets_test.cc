// Whether strided sets meet, against looking at every pair.
#include "ops/strided_sets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

namespace belay::ops {
namespace {

struct Dim {
  std::uint64_t stride;
  std::uint64_t size;
};

StridedSet SetOf(const std::vector<Dim>& dims) {
  StridedSet set;
  for (const Dim& dim : dims) set.Add(dim.stride, dim.size);
  return set;
}

// All numbers of the set, in the order of the indices.
std::vector<std::int64_t> NumbersOf(const std::vector<Dim>& dims) {
  std::vector<std::int64_t> numbers = {0};
  for (const Dim& dim : dims) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : numbers) {
      for (std::uint64_t i = 0; i < dim.size; ++i) {
        next.push_back(base + static_cast<std::int64_t>(i * dim.stride));
      }
    }
    numbers = std::move(next);
  }
  return numbers;
}

bool PlainAreApart(const std::vector<Dim>& dims, std::int64_t width) {
  const std::vector<std::int64_t> numbers = NumbersOf(dims);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(numbers[i] - numbers[j]) < width) return false;
    }
  }
  return true;
}

bool PlainMeet(const std::vector<Dim>& a, std::int64_t a_width, const std::vector<Dim>& b,
               std::int64_t b_width, std::int64_t distance) {
  for (const std::int64_t x : NumbersOf(a)) {
    for (const std::int64_t y : NumbersOf(b)) {
      if (x < distance + y + b_width && distance + y < x + a_width) return true;
    }
  }
  return false;
}

rc::Gen<std::vector<Dim>> SomeDims() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 4), [](std::size_t rank) {
    return rc::gen::container<std::vector<Dim>>(
        rank, rc::gen::map(rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, 40),
                                         rc::gen::inRange<std::uint64_t>(1, 6)),
                           [](const std::pair<std::uint64_t, std::uint64_t>& dim) {
                             return Dim{dim.first, dim.second};
                           }));
  });
}

RC_GTEST_PROP(StridedSetProperty, ApartAsAllPairsSay, ()) {
  const auto dims = *SomeDims();
  const auto width = *rc::gen::element<std::uint64_t>(1, 2, 4, 8);
  RC_ASSERT(SetOf(dims).AreApart(width) == PlainAreApart(dims, static_cast<std::int64_t>(width)));
}

RC_GTEST_PROP(StridedSetProperty, MeetAsAllPairsSay, ()) {
  const auto a = *SomeDims();
  const auto b = *SomeDims();
  const auto a_width = *rc::gen::element<std::uint64_t>(1, 2, 4, 8);
  const auto b_width = *rc::gen::element<std::uint64_t>(1, 2, 4, 8);
  const auto distance = *rc::gen::inRange<std::int64_t>(-200, 200);
  RC_ASSERT(Meet(SetOf(a), a_width, SetOf(b), b_width, distance) ==
            PlainMeet(a, static_cast<std::int64_t>(a_width), b, static_cast<std::int64_t>(b_width),
                      distance));
}

// What slices of a large tensor look like: decided exactly, however many elements there are.
TEST(StridedSets, LargeSlicesAreDecided) {
  constexpr std::uint64_t kRows = 1'000'000;
  const std::vector<Dim> columns = {{4096, kRows}, {2, 512}};
  EXPECT_FALSE(Meet(SetOf(columns), 2, SetOf(columns), 2, 1024));
  EXPECT_TRUE(Meet(SetOf(columns), 2, SetOf(columns), 2, 1022));
  EXPECT_FALSE(Meet(SetOf(columns), 2, SetOf(columns), 2, 1024 + 4096 * 500));
  EXPECT_TRUE(Meet(SetOf(columns), 2, SetOf(columns), 2, 4096 * 500));
  // Every second row, every third row; even and odd columns.
  EXPECT_TRUE(Meet(SetOf({{8192, kRows}, {2, 512}}), 2, SetOf({{12288, kRows}, {2, 512}}), 2, 0));
  EXPECT_FALSE(
      Meet(SetOf({{8192, kRows}, {2, 512}}), 2, SetOf({{8192, kRows}, {2, 512}}), 2, 4096));
  EXPECT_FALSE(Meet(SetOf({{4096, kRows}, {4, 512}}), 2, SetOf({{4096, kRows}, {4, 512}}), 2, 2));
  EXPECT_TRUE(SetOf({{2, 4096}, {8192, kRows}}).AreApart(2));
  EXPECT_FALSE(SetOf({{2, 4097}, {8192, kRows}}).AreApart(2));
  EXPECT_FALSE(SetOf({{0, 2}}).AreApart(1));
}

}  // namespace
}  // namespace belay::ops
