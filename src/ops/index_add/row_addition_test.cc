// Rows that int32 cannot count, on memory of which little exists.
#include "ops/index_add/row_addition.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

namespace belay::ops {
namespace {

ScalarValue OneAndAHalf() {
  ScalarValue value{DataType::kDouble, {}};
  const double number = 1.5;
  std::memcpy(value.bytes.data(), &number, sizeof number);
  return value;
}

// Address space; only the pages that are written are backed by memory.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes)
      : bytes_(bytes),
        memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  ~Sparse() {
    if (exists()) ::munmap(memory_, bytes_);
  }

  [[nodiscard]] bool exists() const { return memory_ != MAP_FAILED; }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

template <class T>
void ExpectSums(const RowAddition& addition, T one, T one_and_a_half, T four_and_a_half) {
  constexpr std::uint64_t kRows = (std::uint64_t{1} << 32) + 100;
  const Sparse target(kRows * sizeof(T));
  if (!target.exists()) GTEST_SKIP() << "no address space";
  const std::vector<std::int64_t> indices = {
      kRows - 1, 5, std::int64_t{1} << 31, kRows - 1, (std::int64_t{1} << 31) - 1, kRows - 1};
  const std::vector<T> source(indices.size(), one);
  kernels::IndexedRows rows;
  rows.rows = kRows;
  rows.width = 1;
  rows.count = indices.size();
  rows.wide = true;
  rows.indices = reinterpret_cast<const std::byte*>(indices.data());
  rows.source = reinterpret_cast<const std::byte*>(source.data());
  rows.target = target.data();
  int fills = 0;
  AddRows(addition, rows, 1, [&] { ++fills; });
  EXPECT_EQ(fills, 1);
  const auto at = [&](std::int64_t row) {
    T value;
    std::memcpy(&value, target.data() + static_cast<std::size_t>(row) * sizeof(T), sizeof(T));
    return value;
  };
  EXPECT_EQ(at(kRows - 1), four_and_a_half);
  EXPECT_EQ(at(5), one_and_a_half);
  EXPECT_EQ(at(std::int64_t{1} << 31), one_and_a_half);
  EXPECT_EQ(at((std::int64_t{1} << 31) - 1), one_and_a_half);
  EXPECT_EQ(at(4), T{});
}

TEST(RowAddition, HalvesInMoreRowsThanInt32Counts) {
  ExpectSums<std::uint16_t>(AdditionOf(DataType::kFloat16, OneAndAHalf()), 0x3C00, 0x3E00, 0x4480);
}

TEST(RowAddition, DoubleSumsInMoreRowsThanInt32Counts) {
  ExpectSums<std::uint16_t>(WideAdditionOf(DataType::kBf16, OneAndAHalf()), 0x3F80, 0x3FC0, 0x4090);
  ExpectSums<float>(WideAdditionOf(DataType::kFloat, OneAndAHalf()), 1.0F, 1.5F, 4.5F);
}

TEST(RowAddition, DirectSumsInMoreRowsThanInt32Counts) {
  // The factor is cast: 1.
  ExpectSums<std::uint8_t>(AdditionOf(DataType::kUint8, OneAndAHalf()), 1, 1, 3);
}

}  // namespace
}  // namespace belay::ops
