// Held against a stable sort: few and many indices, few and many rows, orders that need no sort.
#include "ops/index_add/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace belay::ops {
namespace {

using Indices = std::vector<std::int32_t>;

void ExpectOrder(const Indices& indices, std::uint64_t rows) {
  const auto* const begin = reinterpret_cast<const std::byte*>(indices.data());
  const RowOrder order(begin, indices.size(), rows);
  const kernels::RowPairs& pairs = order.pairs();
  ASSERT_EQ(pairs.count, indices.size());
  std::vector<std::uint32_t> expected(indices.size());
  for (std::uint32_t k = 0; k < expected.size(); ++k) expected[k] = k;
  std::ranges::stable_sort(expected, {}, [&](std::uint32_t k) { return indices[k]; });
  for (std::size_t j = 0; j < pairs.count; ++j) {
    std::int32_t row = 0;
    std::memcpy(&row, pairs.rows + j * sizeof(row), sizeof(row));
    ASSERT_EQ(pairs.positions == nullptr ? j : pairs.positions[j], expected[j]);
    ASSERT_EQ(row, indices[expected[j]]);
  }
  EXPECT_EQ(pairs.positions == nullptr, std::ranges::is_sorted(indices));
}

TEST(RowOrder, MatchesAStableSort) {
  std::mt19937 random(5);
  for (const std::size_t count : {1U, 2U, 3U, 127U, 128U, 129U, 1000U, 5000U}) {
    for (const std::uint64_t rows :
         {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, std::uint64_t{2048},
          std::uint64_t{2049}, std::uint64_t{262144}, std::uint64_t{262145}, std::uint64_t{1} << 31,
          std::uint64_t{1} << 40}) {
      const std::uint64_t named = std::min(rows, std::uint64_t{1} << 31);
      Indices indices(count);
      for (std::int32_t& index : indices) index = static_cast<std::int32_t>(random() % named);
      indices[random() % count] = static_cast<std::int32_t>(named - 1);
      ExpectOrder(indices, rows);
      std::ranges::sort(indices);
      ExpectOrder(indices, rows);
      std::ranges::reverse(indices);
      ExpectOrder(indices, rows);
    }
  }
}

}  // namespace
}  // namespace belay::ops
