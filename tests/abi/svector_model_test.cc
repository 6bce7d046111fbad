// Random operations on SVector, compared with std::vector.

#include "atb/svector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using atb::MaxSizeExceeded;
using atb::SVector;

template <typename T>
T Make(int i);
template <>
int64_t Make<int64_t>(int i) {
  return i;
}
template <>
bool Make<bool>(int i) {
  return i % 3 == 0;
}
template <>
std::string Make<std::string>(int i) {
  return std::string(static_cast<std::size_t>(i) % 40, 'x') + std::to_string(i);
}
template <>
std::shared_ptr<int> Make<std::shared_ptr<int>>(int i) {
  return std::make_shared<int>(i);
}
template <>
std::function<int()> Make<std::function<int()>>(int i) {
  return [i] { return i; };
}

template <typename T>
bool Same(const T& a, const T& b) {
  return a == b;
}
bool Same(const std::function<int()>& a, const std::function<int()>& b) { return a() == b(); }

template <typename T>
void ExpectSame(const SVector<T>& vector, const std::vector<T>& model) {
  ASSERT_EQ(vector.size(), model.size());
  for (std::size_t i = 0; i < model.size(); ++i) {
    const T expected = model[i];
    ASSERT_TRUE(Same(vector[i], expected)) << "element " << i;
  }
}

template <typename T>
class SVectorOf : public testing::Test {};
using ElementTypes =
    testing::Types<int64_t, bool, std::string, std::shared_ptr<int>, std::function<int()>>;
TYPED_TEST_SUITE(SVectorOf, ElementTypes);

TYPED_TEST(SVectorOf, DoesWhatStdVectorDoes) {
  using T = TypeParam;
  std::mt19937 random(1);
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 20; ++round) {
    SVector<T> vector;
    std::vector<T> model;
    for (int step = 0; step < 300; ++step) {
      const T value = Make<T>(step);
      const std::size_t size = model.size();
      switch (below(10)) {
        case 0:
        case 1:
        case 2:
        case 3:
          if (size < 256) {
            vector.push_back(value);
            model.push_back(value);
          } else {
            EXPECT_THROW(vector.push_back(value), MaxSizeExceeded);
          }
          break;
        case 4:
        case 5:
          if (size < 256) {
            const std::size_t pos = below(size + 1);
            vector.insert(pos, value);
            model.insert(model.begin() + static_cast<std::ptrdiff_t>(pos), value);
          }
          break;
        case 6: {
          const std::size_t count = below(4) == 0 ? below(257) : size + below(3);
          if (count > 256) {
            EXPECT_THROW(vector.resize(count), MaxSizeExceeded);
            break;
          }
          vector.resize(count);
          model.resize(count);
          for (std::size_t i = size; i < count; ++i) {
            vector[i] = value;
            model[i] = value;
          }
          break;
        }
        case 7:
          vector.reserve(below(257));
          break;
        case 8: {
          const SVector<T> copy(vector);
          vector.clear();
          ExpectSame(copy, model);
          vector = copy;
          break;
        }
        default: {
          SVector<T> other(below(257), value);
          other = vector;
          vector = {value, value};
          vector = other;
          break;
        }
      }
      ExpectSame(vector, model);
      if (this->HasFatalFailure()) {
        return;
      }
    }
  }
}

}  // namespace
