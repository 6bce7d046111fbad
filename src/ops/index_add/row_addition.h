// How aclnn's IndexAdd adds rows of any type once everything lies in contiguous memory;
// index_add_views.h has the rules.
#pragma once

#include <cstdint>

#include "base/data_type.h"
#include "base/export.h"
#include "base/function_ref.h"
#include "kernels/direct_add.h"
#include "kernels/half.h"
#include "kernels/indexed_rows.h"
#include "kernels/wide_add.h"
#include "ops/scalar_value.h"

namespace belay::ops {

/// Which of the ways of adding a type has, and its factor.
struct RowAddition {
  enum class Way : std::uint8_t {
    kHalf,    // 16-bit floats in float32, rounded once
    kDirect,  // in the elements' own type
    kWide,    // floats in double, rounded once
  };

  Way way = Way::kDirect;
  kernels::HalfFormat half = kernels::HalfFormat::kFp16;
  kernels::DirectType direct = kernels::DirectType::kFloat;
  kernels::WideType wide = kernels::WideType::kFloat;
  CastValue factor{};  // float, the elements' own type, or double

  /// As many updates as there may be; the first way knows no bound while indices fit into int32.
  static constexpr std::uint64_t kMaxOrdered = UINT32_MAX;
};

/// In what numbers aclnn's IndexAdd adds a type of those it takes, with that factor.
[[nodiscard]] BELAY_EXPORT RowAddition AdditionOf(DataType type,
                                                  const ScalarValue& factor) noexcept;
/// The same with sums of floats in double.
[[nodiscard]] BELAY_EXPORT RowAddition WideAdditionOf(DataType type,
                                                      const ScalarValue& factor) noexcept;

/// target[s, indices[k], :] += factor * source[s, k, :] for all slices s, in the order of k. Takes
/// the memory it needs (std::bad_alloc), calls `fill`, then writes.
BELAY_EXPORT void AddRows(const RowAddition& addition, const kernels::IndexedRows& rows,
                          std::uint64_t slices, FunctionRef<void()> fill);

}  // namespace belay::ops
