// Checks SVector: limits, contents and life of the elements.

#include "atb/svector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "abi/svector_counting.h"
#include "atb/types.h"

namespace {

using atb::MaxSizeExceeded;
using atb::SVector;
using belay::test::Counting;
using belay::test::ExpectCounting;
using Sizes = std::initializer_list<std::size_t>;

#define TWO_HUNDRED_EIGHTY SEVENTY, SEVENTY, SEVENTY, SEVENTY

TEST(SVector, DefaultIsEmptyAndItsSlotsHoldZero) {
  SVector<int64_t> vector;
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(vector.size(), 0U);
  EXPECT_EQ(vector.begin(), vector.end());
  vector.resize(64);
  EXPECT_EQ(vector, SVector<int64_t>(64, 0));
  SVector<atb::TensorDesc> descs;
  descs.resize(64);
  EXPECT_EQ(descs[63].dtype, ACL_DT_UNDEFINED);
  EXPECT_EQ(descs[63].shape.dims[7], 0);
}

TEST(SVector, ListConstructor) {
  const SVector<int64_t> few = {5, 6, 7};
  EXPECT_EQ(few.size(), 3U);
  EXPECT_EQ(few[2], 7);
  const SVector<int64_t> many = {SEVENTY};
  ExpectCounting(many, 70);
  SVector<int64_t> longer = {SEVENTY};
  longer.push_back(70);
  ExpectCounting(longer, 71);
  EXPECT_TRUE(SVector<int64_t>{}.empty());
  EXPECT_THROW((SVector<int64_t>{TWO_HUNDRED_EIGHTY}), MaxSizeExceeded);
}

TEST(SVector, CountConstructor) {
  EXPECT_EQ(SVector<int64_t>(3), (SVector<int64_t>{0, 0, 0}));
  for (const std::size_t size : Sizes{0, 1, 64, 65, 256}) {
    const SVector<int64_t> vector(size, 9);
    ASSERT_EQ(vector.size(), size);
    for (const int64_t element : vector) {
      ASSERT_EQ(element, 9);
    }
  }
  EXPECT_THROW(SVector<int64_t>(257), MaxSizeExceeded);
  EXPECT_THROW(SVector<std::string>(257, "x"), MaxSizeExceeded);
}

TEST(SVector, DefaultValueOfClassesIsTheirs) {
  EXPECT_EQ(SVector<std::string>(2)[1], "");
  EXPECT_EQ(SVector<std::string>(70)[69], "");
  EXPECT_EQ(SVector<std::shared_ptr<int>>(70)[69], nullptr);
  EXPECT_FALSE(SVector<std::function<void()>>(2)[1]);
}

TEST(SVector, CopyIsIndependentAndMayGrow) {
  for (const std::size_t size : Sizes{0, 3, 64, 65, 70, 256}) {
    const SVector<int64_t> source = Counting(size);
    SVector<int64_t> copy(source);
    ExpectCounting(copy, size);
    EXPECT_NE(copy.data(), source.data());
    if (size < 256) {
      copy.push_back(static_cast<int64_t>(size));
      ExpectCounting(copy, size + 1);
    } else {
      EXPECT_THROW(copy.push_back(0), MaxSizeExceeded);
    }
    copy.resize(70);
    copy.resize(256);
    ExpectCounting(source, size);
  }
}

TEST(SVector, EmptyVectorWithReserveCopied) {
  SVector<int64_t> source;
  source.reserve(100);
  SVector<int64_t> copy(source);
  copy.push_back(0);
  ExpectCounting(copy, 1);
}

TEST(SVector, MovesCopy) {
  SVector<std::string> source = {"a", "b"};
  const SVector<std::string> target(std::move(source));
  EXPECT_EQ(source, target);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE((std::is_nothrow_destructible<SVector<std::string>>::value));
}

// Memory in which a vector is made, to see what it writes.
template <typename T>
struct Canvas {
  static constexpr unsigned char kUntouched = 0xA5;
  alignas(SVector<T>) unsigned char bytes[sizeof(SVector<T>)];

  Canvas() {
    std::memset(bytes, kUntouched, sizeof(bytes));
    Barrier();
  }
  // The compiler must neither drop what was written nor foresee what is read.
  void Barrier() { asm volatile("" : : "r"(bytes) : "memory"); }

  bool IsUntouchedBehind(std::size_t elements) {
    Barrier();
    for (std::size_t i = 16 + elements * sizeof(T); i < sizeof(bytes) - sizeof(void*); ++i) {
      if (bytes[i] != kUntouched) {
        return false;
      }
    }
    return true;
  }
};

template <typename T>
void ExpectCopiesTouchTheirElementsOnly() {
  const SVector<T> source(3);
  Canvas<T> canvas;
  auto* const copy = new (canvas.bytes) SVector<T>(source);
  EXPECT_TRUE(canvas.IsUntouchedBehind(3));
  *copy = SVector<T>(2);
  copy->push_back(T());
  EXPECT_TRUE(canvas.IsUntouchedBehind(3));
  copy->~SVector<T>();
}

TEST(SVector, CopiesTouchTheirElementsOnly) {
  ExpectCopiesTouchTheirElementsOnly<int64_t>();
  ExpectCopiesTouchTheirElementsOnly<bool>();
  ExpectCopiesTouchTheirElementsOnly<atb::Tensor>();
  ExpectCopiesTouchTheirElementsOnly<atb::TensorDesc>();
}

TEST(SVector, GrowthOfACopyShowsNoGarbage) {
  const SVector<int64_t> source = {1, 2, 3};
  Canvas<int64_t> canvas;
  auto* const copy = new (canvas.bytes) SVector<int64_t>(source);
  copy->resize(6);
  EXPECT_EQ(*copy, (SVector<int64_t>{1, 2, 3, 0, 0, 0}));
  copy->at(5) = 7;
  copy->clear();
  copy->resize(7);
  EXPECT_EQ(*copy, (SVector<int64_t>{1, 2, 3, 0, 0, 7, 0}));
  copy->resize(80);
  EXPECT_EQ(copy->at(5), 7);
  EXPECT_EQ(copy->at(79), 0);
  copy->~SVector<int64_t>();
}

TEST(SVector, PushBackUpToTheLimit) {
  SVector<int64_t> vector;
  const int64_t* const inObject = vector.data();
  for (int64_t i = 0; i < 256; ++i) {
    vector.push_back(i);
    EXPECT_EQ(vector.data() == inObject, i < 64);
  }
  ExpectCounting(vector, 256);
  EXPECT_THROW(vector.push_back(0), MaxSizeExceeded);
  ExpectCounting(vector, 256);
}

TEST(SVector, PushBackOfAnElementOfItself) {
  SVector<std::string> vector = {"first element, not a short string"};
  while (vector.size() < 256) {
    vector.push_back(vector[0]);
  }
  EXPECT_EQ(vector[64], vector[0]);
  EXPECT_EQ(vector[255], vector[0]);
}

TEST(SVector, Insert) {
  SVector<int64_t> vector;
  vector.insert(0, 2);
  vector.insert(0, 0);
  vector.insert(1, 1);
  vector.insert(3, 3);
  ExpectCounting(vector, 4);
  EXPECT_THROW(vector.insert(5, 0), std::out_of_range);
  ExpectCounting(vector, 4);
  vector.insert(0, vector[3]);
  EXPECT_EQ(vector, (SVector<int64_t>{3, 0, 1, 2, 3}));
  vector.insert(1, vector[4]);
  EXPECT_EQ(vector, (SVector<int64_t>{3, 3, 0, 1, 2, 3}));
}

TEST(SVector, InsertMovesToTheHeapAndStopsAtTheLimit) {
  SVector<int64_t> vector;
  for (int64_t i = 256; i > 0; --i) {
    vector.insert(0, i - 1);
  }
  ExpectCounting(vector, 256);
  EXPECT_THROW(vector.insert(3, 0), MaxSizeExceeded);
  EXPECT_THROW(vector.insert(256, 0), MaxSizeExceeded);
  EXPECT_THROW(vector.insert(257, 0), std::out_of_range);
  ExpectCounting(vector, 256);
}

TEST(SVector, InsertIntoAFilledReserve) {
  SVector<int64_t> vector;
  vector.reserve(100);
  vector.resize(100);
  vector.insert(3, 8);
  EXPECT_EQ(vector.size(), 101U);
  EXPECT_EQ(vector[3], 8);
}

TEST(SVector, ElementsFollowEachOther) {
  for (const std::size_t size : Sizes{1, 64, 65}) {
    SVector<int64_t> vector = Counting(size);
    const SVector<int64_t>& constant = vector;
    EXPECT_EQ(vector.begin(), vector.data());
    EXPECT_EQ(constant.begin(), constant.data());
    EXPECT_EQ(vector.end() - vector.begin(), static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(constant.end(), vector.end());
    EXPECT_EQ(&vector[0], vector.data());
    EXPECT_EQ(&constant.at(size - 1), vector.data() + size - 1);
  }
  static_assert(noexcept(std::declval<SVector<int>&>().begin()), "begin");
  static_assert(noexcept(std::declval<const SVector<int>&>().end()), "end");
  static_assert(noexcept(std::declval<SVector<int>&>().data()), "data");
  static_assert(noexcept(std::declval<SVector<int>&>().size()), "size");
  static_assert(noexcept(std::declval<SVector<int>&>().empty()), "empty");
  static_assert(noexcept(std::declval<SVector<int>&>().clear()), "clear");
}

TEST(SVector, IndicesAreChecked) {
  for (const std::size_t size : Sizes{0, 3, 64, 65, 256}) {
    SVector<int64_t> vector = Counting(size);
    const SVector<int64_t>& constant = vector;
    EXPECT_THROW(vector[size], std::out_of_range);
    EXPECT_THROW(constant[size], std::out_of_range);
    EXPECT_THROW(vector.at(size), std::out_of_range);
    EXPECT_THROW(static_cast<void>(constant.at(~std::size_t{0})), std::out_of_range);
  }
}

TEST(SVector, ClearKeepsTheMemory) {
  SVector<int64_t> vector = Counting(70);
  const int64_t* const data = vector.data();
  vector.clear();
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(vector.data(), data);
  EXPECT_THROW(vector[0], std::out_of_range);
}

TEST(SVector, ResizeDoesNotClear) {
  for (const std::size_t size : Sizes{5, 70}) {
    SVector<int64_t> vector = Counting(size);
    vector.resize(2);
    ExpectCounting(vector, 2);
    vector.resize(size);
    ExpectCounting(vector, size);
    vector.clear();
    vector.resize(size);
    ExpectCounting(vector, size);
  }
}

TEST(SVector, ResizeLimits) {
  SVector<int64_t> vector = Counting(3);
  vector.resize(64);
  vector.resize(65);
  vector.resize(256);
  EXPECT_THROW(vector.resize(257), MaxSizeExceeded);
  EXPECT_EQ(vector.size(), 256U);
  EXPECT_EQ(vector[2], 2);
  EXPECT_EQ(vector[255], 0);
  EXPECT_THROW(Counting(3).resize(257), MaxSizeExceeded);
}

TEST(SVector, ReserveKeepsTheElements) {
  SVector<int64_t> vector = {0, 1, 2};
  vector.reserve(64);
  vector.reserve(100);
  ExpectCounting(vector, 3);
  vector.resize(4);
  EXPECT_EQ(vector[3], 0);
  EXPECT_THROW(vector.reserve(257), MaxSizeExceeded);
}

TEST(SVector, ReserveNeverShrinks) {
  SVector<int64_t> vector;
  vector.reserve(150);
  vector.resize(150);
  vector[149] = 4;
  vector.reserve(100);
  EXPECT_EQ(vector.size(), 150U);
  EXPECT_EQ(vector[149], 4);
  vector.push_back(5);
  EXPECT_EQ(vector[150], 5);
}

TEST(SVector, ComparisonsLookAtElements) {
  const SVector<int64_t> inObject = {1, 2, 3};
  SVector<int64_t> onHeap = {1, 2, 3};
  onHeap.reserve(100);
  EXPECT_TRUE(inObject == onHeap);
  EXPECT_TRUE(onHeap == inObject);
  EXPECT_FALSE(inObject != onHeap);
  onHeap[1] = 5;
  EXPECT_TRUE(inObject != onHeap);
  EXPECT_TRUE(onHeap != inObject);
  EXPECT_TRUE(inObject < onHeap);
  EXPECT_FALSE(onHeap < inObject);
  EXPECT_FALSE((inObject == SVector<int64_t>{1, 2}));
}

TEST(SVector, OrderLooksAtSizesFirst) {
  EXPECT_TRUE((SVector<int>{9} < SVector<int>{1, 1}));
  EXPECT_FALSE((SVector<int>{1, 1} < SVector<int>{9}));
  EXPECT_TRUE((SVector<int>{1, 2, 9} < SVector<int>{1, 3, 0}));
  EXPECT_FALSE((SVector<int>{1, 3, 0} < SVector<int>{1, 2, 9}));
  EXPECT_FALSE((SVector<int>{1, 2} < SVector<int>{1, 2}));
  EXPECT_FALSE((SVector<int>{} < SVector<int>{}));
}

TEST(SVector, ListAssignment) {
  SVector<int64_t> vector;
  vector = {SEVENTY};
  ExpectCounting(vector, 70);
  vector.push_back(70);
  ExpectCounting(vector, 71);
  vector = {0, 1};
  ExpectCounting(vector, 2);
  vector = {};
  EXPECT_TRUE(vector.empty());
  EXPECT_THROW((vector = {TWO_HUNDRED_EIGHTY}), MaxSizeExceeded);
}

TEST(SVector, CopyAssignment) {
  for (const std::size_t from : Sizes{0, 3, 64, 70, 256}) {
    for (const std::size_t to : Sizes{0, 5, 64, 80, 256}) {
      const SVector<int64_t> source = Counting(from);
      SVector<int64_t> target(to, -1);
      EXPECT_EQ(&(target = source), &target);
      ExpectCounting(target, from);
      if (from < 256) {
        target.push_back(static_cast<int64_t>(from));
        ExpectCounting(target, from + 1);
      }
      ExpectCounting(source, from);
    }
  }
  SVector<int64_t> self = Counting(70);
  const SVector<int64_t>& same = self;
  self = same;
  ExpectCounting(self, 70);
}

TEST(SVector, Output) {
  std::ostringstream stream;
  stream << SVector<int64_t>{} << '|' << SVector<int64_t>{7} << '|' << SVector<int64_t>{1, -2, 3}
         << '|' << SVector<std::string>{"a", "b"} << '|' << SVector<bool>{true, false};
  EXPECT_EQ(stream.str(), "|7|1,-2,3|a,b|1,0");
}

// Each element counts; a copy may be told to fail.
class Counted {
 public:
  Counted() { ++alive; }
  explicit Counted(int value) : value_(value) { ++alive; }
  Counted(const Counted& other) : value_(other.value_) {
    if (copiesLeft-- == 0) {
      throw std::runtime_error("copy");
    }
    ++alive;
  }
  Counted& operator=(const Counted& other) = default;
  ~Counted() { --alive; }
  int Get() const { return value_; }

  static int alive;
  static int copiesLeft;

 private:
  int value_ = 0;
};
int Counted::alive = 0;
int Counted::copiesLeft = -1;

TEST(SVector, ElementsAreMadeAndDestroyed) {
  Counted::alive = 0;
  {
    SVector<Counted> vector(70, Counted(4));
    EXPECT_EQ(Counted::alive, 65 + 70);
    EXPECT_EQ(vector[69].Get(), 4);
    vector.insert(1, Counted(5));
    vector.push_back(vector[1]);
    EXPECT_EQ(Counted::alive, 65 + 72);
    vector.resize(3);
    EXPECT_EQ(Counted::alive, 65 + 3);
    vector.resize(100);
    EXPECT_EQ(vector[99].Get(), 0);
    EXPECT_EQ(Counted::alive, 65 + 100);
    SVector<Counted> copy(vector);
    copy = SVector<Counted>(80, Counted(6));
    copy = {Counted(1), Counted(2)};
    EXPECT_EQ(Counted::alive, 2 * 65 + 100 + 2);
    copy.clear();
    EXPECT_EQ(Counted::alive, 2 * 65 + 100);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(SVector, CopiesThatFailLeaveNothingBehind) {
  Counted::alive = 0;
  {
    SVector<Counted> source(64, Counted(1));
    for (const int copies : {0, 5, 30, 64}) {
      Counted::copiesLeft = copies;
      EXPECT_THROW(source.push_back(source[0]), std::runtime_error);
      EXPECT_EQ(source.size(), 64U);
      EXPECT_EQ(Counted::alive, 65);
    }
    Counted::copiesLeft = -1;
    source.resize(70);
    for (const int copies : {0, 30, 69}) {
      Counted::copiesLeft = copies;
      EXPECT_THROW(SVector<Counted>{source}, std::runtime_error);
      EXPECT_EQ(Counted::alive, 65 + 70);
    }
    Counted::copiesLeft = -1;
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(SVector, FunctionsAndPointersAsElements) {
  SVector<std::function<int()>> functions;
  for (int i = 0; i < 100; ++i) {
    functions.push_back(
        [i, text = std::string(40, 'x')] { return i + static_cast<int>(text.size()); });
  }
  SVector<std::function<int()>> copies;
  copies = functions;
  copies.insert(10, [] { return -1; });
  EXPECT_EQ(functions[99](), 139);
  EXPECT_EQ(copies[10](), -1);
  EXPECT_EQ(copies[100](), 139);

  const auto shared = std::make_shared<int>(3);
  {
    SVector<std::shared_ptr<int>> pointers(100, shared);
    const SVector<std::shared_ptr<int>> others = pointers;
    EXPECT_EQ(shared.use_count(), 201);
    pointers.resize(1);
    EXPECT_EQ(shared.use_count(), 102);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

}  // namespace
