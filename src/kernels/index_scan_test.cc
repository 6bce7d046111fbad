// With every instruction set: one bad index anywhere, misaligned lists.
#include "kernels/index_scan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "support/every_target.h"

namespace belay::kernels {
namespace {

using belay::testing::OnEveryTarget;
using Indices = std::vector<std::int32_t>;

constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();

// `shift` bytes off, between values that are in no range and in no order.
template <class Look>
bool LookAt(const Indices& indices, std::size_t shift, const Look& look) {
  std::vector<std::byte> bytes((indices.size() + 2) * sizeof(std::int32_t) + shift,
                               std::byte{0x80});
  std::byte* const begin = bytes.data() + shift + sizeof(std::int32_t);
  if (!indices.empty()) std::memcpy(begin, indices.data(), indices.size() * sizeof(indices[0]));
  return look(begin, indices.size());
}

bool Within(const Indices& indices, std::int32_t limit, std::size_t shift = 0) {
  return LookAt(indices, shift, [&](const std::byte* begin, std::size_t count) {
    return AllWithin(begin, count, limit);
  });
}

bool Ascending(const Indices& indices, std::size_t shift = 0) {
  return LookAt(indices, shift, IsAscending);
}

TEST(IndexScan, AllWithinFindsOneAnywhere) {
  OnEveryTarget([] {
    for (const std::int32_t limit : {0, 6, kMax - 1, kMax}) {
      for (std::size_t count = 0; count <= 70; ++count) {
        Indices indices(count, limit);
        for (std::size_t k = 0; k < count; k += 2) indices[k] = 0;
        ASSERT_TRUE(Within(indices, limit, count % 4));
        for (std::size_t at = 0; at < count; ++at) {
          const std::int32_t kept = indices[at];
          for (const std::int32_t bad :
               {-1, kMin, kMin + 1, kMax, limit == kMax ? -7 : limit + 1}) {
            if (bad >= 0 && bad <= limit) continue;
            indices[at] = bad;
            ASSERT_FALSE(Within(indices, limit, at % 4)) << bad << " at " << at << " of " << count;
          }
          indices[at] = kept;
        }
      }
    }
  });
}

TEST(IndexScan, IsAscendingFindsOneAnywhere) {
  OnEveryTarget([] {
    for (std::size_t count = 0; count <= 70; ++count) {
      Indices indices(count);
      for (std::size_t k = 0; k < count; ++k) indices[k] = static_cast<std::int32_t>(k / 3) + 1;
      ASSERT_TRUE(Ascending(indices, count % 4));
      for (std::size_t at = 1; at < count; ++at) {
        const std::int32_t kept = indices[at];
        indices[at] = indices[at - 1] - 1;
        ASSERT_FALSE(Ascending(indices, at % 4)) << at << " of " << count;
        indices[at] = kept;
      }
    }
    EXPECT_TRUE(Ascending({0, 0, kMax, kMax}));
  });
}

}  // namespace
}  // namespace belay::kernels
