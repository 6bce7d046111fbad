#include "ops/strided_sets.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace belay::ops {
namespace {

// stride * z, z in [low, high].
struct Range {
  std::int64_t stride;
  std::int64_t low;
  std::int64_t high;
};

std::int64_t FloorDiv(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b != 0 && a < 0 ? 1 : 0);
}
std::int64_t CeilDiv(std::int64_t a, std::int64_t b) noexcept {
  return a / b + (a % b != 0 && a > 0 ? 1 : 0);
}

// Insertion sort by stride: a handful of items, and none of std::sort's way with longer ones, whose
// bounds GCC 12 doubts.
template <class Item, class Before>
void SortByStride(Item* first, std::size_t count, Before before) noexcept {
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = i; j > 0 && before(first[j].stride, first[j - 1].stride); --j) {
      std::swap(first[j], first[j - 1]);
    }
  }
}

// Looks for z with sum(stride * z) in [low, high]. Ranges are few, their strides fall.
class Search {
 public:
  static constexpr std::size_t kMaxRanges = 2 * StridedSet::kMaxTerms;

  void Add(Range range) noexcept {
    if (range.stride == 0 || range.low == range.high) {
      // One value only, or none that counts.
      offset_ += range.stride * range.low;
      return;
    }
    ranges_[count_++] = range;
  }

  // Strides of which one is a multiple of the other, without gaps between them, are one range.
  void Merge() noexcept {
    SortByStride(ranges_.data(), count_, std::less<>());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (kept > 0 && Absorb(ranges_[kept - 1], ranges_[i])) continue;
      ranges_[kept++] = ranges_[i];
    }
    count_ = kept;
  }

  // After the last Add: puts the largest stride first and sums up what is left after each.
  void Prepare() noexcept {
    SortByStride(ranges_.data(), count_, std::greater<>());
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t divisor = 0;
    for (std::size_t i = count_; i-- > 0;) {
      rest_low_[i] = low;
      rest_high_[i] = high;
      low += ranges_[i].stride * ranges_[i].low;
      high += ranges_[i].stride * ranges_[i].high;
      divisor = std::gcd(divisor, ranges_[i].stride);
      divisor_[i] = divisor;
    }
  }

  // True as well when the search takes too long.
  bool Finds(std::int64_t low, std::int64_t high) noexcept {
    steps_ = 0;
    return FindsFrom(0, low - offset_, high - offset_);
  }
  // The same, without the solution in which all z are 0.
  bool FindsOther(std::int64_t low, std::int64_t high) noexcept {
    steps_ = 0;
    return FindsOtherFrom(0, low, high);
  }

 private:
  static constexpr std::size_t kMaxSteps = 20000;

  static bool Absorb(Range& fine, const Range& coarse) noexcept {
    if (coarse.stride % fine.stride != 0) return false;
    const std::int64_t factor = coarse.stride / fine.stride;
    if (fine.high - fine.low + 1 < factor) return false;
    fine.low += factor * coarse.low;
    fine.high += factor * coarse.high;
    return true;
  }

  // The z of range i after which [low, high] can still be reached.
  struct Choices {
    std::int64_t first;
    std::int64_t last;
  };
  [[nodiscard]] Choices ChoicesOf(std::size_t i, std::int64_t low, std::int64_t high) const {
    const Range& range = ranges_[i];
    return {std::max(range.low, CeilDiv(low - rest_high_[i], range.stride)),
            std::min(range.high, FloorDiv(high - rest_low_[i], range.stride))};
  }

  bool FindsFrom(std::size_t i, std::int64_t low, std::int64_t high) noexcept {
    if (i == count_) return low <= 0 && 0 <= high;
    // All that is left are multiples of the common divisor.
    if (FloorDiv(high, divisor_[i]) < CeilDiv(low, divisor_[i])) return false;
    const Choices choices = ChoicesOf(i, low, high);
    for (std::int64_t z = choices.first; z <= choices.last; ++z) {
      if (++steps_ > kMaxSteps) return true;
      const std::int64_t part = ranges_[i].stride * z;
      if (FindsFrom(i + 1, low - part, high - part)) return true;
    }
    return false;
  }

  // With each solution its negative is one: the first z that is not 0 may be taken as above 0.
  bool FindsOtherFrom(std::size_t i, std::int64_t low, std::int64_t high) noexcept {
    if (i == count_) return false;
    const Choices choices = ChoicesOf(i, low, high);
    for (std::int64_t z = std::max<std::int64_t>(choices.first, 1); z <= choices.last; ++z) {
      if (++steps_ > kMaxSteps) return true;
      const std::int64_t part = ranges_[i].stride * z;
      if (FindsFrom(i + 1, low - part, high - part)) return true;
    }
    return FindsOtherFrom(i + 1, low, high);
  }

  std::array<Range, kMaxRanges> ranges_{};
  std::array<std::int64_t, kMaxRanges> rest_low_{};  // of the sum of all later ranges
  std::array<std::int64_t, kMaxRanges> rest_high_{};
  std::array<std::int64_t, kMaxRanges> divisor_{};  // of this and all later strides
  std::size_t count_ = 0;
  std::int64_t offset_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

bool StridedSet::AreApart(std::uint64_t width) const noexcept {
  std::array<Term, kMaxTerms> terms = terms_;
  SortByStride(terms.data(), count_, std::greater<>());
  // Most tensors nest: each stride steps over all that the smaller ones reach.
  std::int64_t reach = static_cast<std::int64_t>(width);
  bool nests = true;
  for (std::size_t i = count_; i-- > 0;) {
    if (terms[i].stride == 0) return false;
    nests = nests && terms[i].stride >= reach;
    reach += terms[i].stride * (terms[i].size - 1);
  }
  if (nests) return true;
  Search search;
  for (std::size_t i = 0; i < count_; ++i) {
    search.Add({terms[i].stride, 1 - terms[i].size, terms[i].size - 1});
  }
  search.Prepare();
  const std::int64_t limit = static_cast<std::int64_t>(width) - 1;
  return !search.FindsOther(-limit, limit);
}

bool Meet(const StridedSet& a, std::uint64_t a_width, const StridedSet& b, std::uint64_t b_width,
          std::int64_t distance) noexcept {
  Search search;
  for (const StridedSet::Term& term : a) search.Add({term.stride, 0, term.size - 1});
  for (const StridedSet::Term& term : b) search.Add({term.stride, 1 - term.size, 0});
  search.Merge();
  search.Prepare();
  // x - y is within the widths of the distance.
  return search.Finds(distance - static_cast<std::int64_t>(a_width) + 1,
                      distance + static_cast<std::int64_t>(b_width) - 1);
}

}  // namespace belay::ops
