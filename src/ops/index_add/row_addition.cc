#include "ops/index_add/row_addition.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "ops/index_add/index_add_run.h"
#include "ops/index_add/pair_work.h"
#include "ops/index_add/row_order.h"
#include "ops/row_parts.h"

namespace belay::ops {
namespace {

using Way = RowAddition::Way;

constexpr bool IsBf16(DataType type) { return type == DataType::kBf16; }
constexpr bool IsHalf(DataType type) { return type == DataType::kFloat16 || IsBf16(type); }

constexpr kernels::DirectType DirectTypeOf(DataType type) {
  switch (type) {
    case DataType::kDouble:
      return kernels::DirectType::kDouble;
    case DataType::kInt8:
    case DataType::kUint8:
      return kernels::DirectType::kInt8;
    case DataType::kInt16:
      return kernels::DirectType::kInt16;
    case DataType::kInt32:
      return kernels::DirectType::kInt32;
    case DataType::kInt64:
      return kernels::DirectType::kInt64;
    case DataType::kBool:
      return kernels::DirectType::kBool;
    default:
      return kernels::DirectType::kFloat;
  }
}

template <class T>
T FactorOf(const RowAddition& addition) noexcept {
  T factor;
  std::memcpy(&factor, addition.factor.data(), sizeof(T));
  return factor;
}

void AddDirect(const RowAddition& addition, const kernels::IndexedRows& rows,
               std::uint64_t slices) {
  const kernels::DirectAddTask task{addition.direct, addition.factor, rows};
  ForRowParts(rows, slices, kernels::ItemBytes(addition.direct),
              [&](const kernels::IndexedPart& part) { kernels::DirectAdd(task, part); });
}

void AddHalves(const RowAddition& addition, const kernels::IndexedRows& rows, std::uint64_t slices,
               FunctionRef<void()> fill) {
  IndexAddJob job;
  job.format = addition.half;
  job.factor = FactorOf<float>(addition);
  job.outer = slices;
  job.rows = rows.rows;
  job.width = rows.width;
  job.stride = rows.count;
  job.count = rows.count;
  job.indices = rows.indices;
  job.updates = rows.source;
  job.target = rows.target;
  RunIndexAdd(job, fill);
}

// All updates of a row side by side, whose row is counted from `base` on.
void AddPairs(const RowAddition& addition, const kernels::IndexedRows& rows, std::uint64_t slices,
              std::uint64_t base, const kernels::RowPairs& pairs) {
  const bool half = addition.way == Way::kHalf;
  const std::uint64_t item_bytes = half ? sizeof(std::uint16_t) : ItemBytes(addition.wide);
  const std::uint64_t row_bytes = rows.width * item_bytes;
  ForPairs({slices, rows.width, item_bytes, pairs}, [&](std::uint64_t slice,
                                                        const kernels::RowAddPart& part) {
    const std::byte* const source = rows.source + slice * rows.count * row_bytes;
    std::byte* const target = rows.target + (slice * rows.rows + base) * row_bytes;
    if (half) {
      kernels::RowAdd({addition.half, FactorOf<float>(addition), rows.width, source, target, pairs},
                      part);
    } else {
      kernels::WideAdd(
          {addition.wide, FactorOf<double>(addition), rows.width, source, target, pairs}, part);
    }
  });
}

// Pairs in order of rows that int32 cannot count: those of a window of rows are counted from its
// first one.
class WindowedOrder {
 public:
  explicit WindowedOrder(const kernels::IndexedRows& rows) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(rows.count);
    for (std::size_t k = 0; k < order.size(); ++k) {
      std::memcpy(&order[k].first, rows.indices + k * sizeof(std::uint64_t), sizeof(std::uint64_t));
      order[k].second = static_cast<std::uint32_t>(k);
    }
    std::sort(order.begin(), order.end());
    rows_.reserve(order.size());
    positions_.reserve(order.size());
    for (const auto& [row, position] : order) {
      const std::uint64_t base = row / kWindow * kWindow;
      if (windows_.empty() || windows_.back().base != base)
        windows_.push_back({base, rows_.size()});
      rows_.push_back(static_cast<std::int32_t>(row - base));
      positions_.push_back(position);
    }
  }

  /// Calls visit(first row of the window, pairs) for each window with pairs.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      const std::size_t begin = windows_[i].begin;
      const std::size_t end = i + 1 < windows_.size() ? windows_[i + 1].begin : rows_.size();
      visit(windows_[i].base,
            kernels::RowPairs{reinterpret_cast<const std::byte*>(rows_.data() + begin),
                              positions_.data() + begin, end - begin});
    }
  }

 private:
  static constexpr std::uint64_t kWindow = std::uint64_t{1} << 31;

  struct Window {
    std::uint64_t base;
    std::size_t begin;
  };

  std::vector<Window> windows_;
  std::vector<std::int32_t> rows_;
  std::vector<std::uint32_t> positions_;
};

void AddInOrder(const RowAddition& addition, const kernels::IndexedRows& rows, std::uint64_t slices,
                FunctionRef<void()> fill) {
  if (rows.wide) {
    const WindowedOrder order(rows);
    fill();
    order.ForEach([&](std::uint64_t base, const kernels::RowPairs& pairs) {
      AddPairs(addition, rows, slices, base, pairs);
    });
  } else {
    const RowOrder order(rows.indices, rows.count, rows.rows);
    fill();
    AddPairs(addition, rows, slices, 0, order.pairs());
  }
}

}  // namespace

RowAddition AdditionOf(DataType type, const ScalarValue& factor) noexcept {
  RowAddition addition;
  if (IsHalf(type)) {
    addition.way = Way::kHalf;
    addition.half = IsBf16(type) ? kernels::HalfFormat::kBf16 : kernels::HalfFormat::kFp16;
    addition.factor = CastTo(DataType::kFloat, factor);
  } else {
    addition.way = Way::kDirect;
    addition.direct = DirectTypeOf(type);
    addition.factor = CastTo(type, factor);
  }
  return addition;
}

RowAddition WideAdditionOf(DataType type, const ScalarValue& factor) noexcept {
  if (!IsHalf(type) && type != DataType::kFloat) return AdditionOf(type, factor);
  RowAddition addition;
  addition.way = Way::kWide;
  addition.wide = type == DataType::kFloat ? kernels::WideType::kFloat
                  : IsBf16(type)           ? kernels::WideType::kBf16
                                           : kernels::WideType::kFp16;
  addition.factor = CastTo(DataType::kDouble, factor);
  return addition;
}

void AddRows(const RowAddition& addition, const kernels::IndexedRows& rows, std::uint64_t slices,
             FunctionRef<void()> fill) {
  if (addition.way == Way::kDirect) {
    fill();
    AddDirect(addition, rows, slices);
  } else if (addition.way == Way::kHalf && !rows.wide) {
    AddHalves(addition, rows, slices, fill);
  } else {
    AddInOrder(addition, rows, slices, fill);
  }
}

}  // namespace belay::ops
