// SVectors that hold 0, 1, 2, ..
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "atb/svector.h"

namespace belay::test {

inline atb::SVector<int64_t> Counting(std::size_t size) {
  atb::SVector<int64_t> vector;
  for (std::size_t i = 0; i < size; ++i) {
    vector.push_back(static_cast<int64_t>(i));
  }
  return vector;
}

inline void ExpectCounting(const atb::SVector<int64_t>& vector, std::size_t size) {
  ASSERT_EQ(vector.size(), size);
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_EQ(vector[i], static_cast<int64_t>(i));
  }
}

}  // namespace belay::test

// A list of 70 elements, 0 to 69.
#define TEN(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9
#define SEVENTY TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), TEN(50), TEN(60)
