// What IndexAdd and IndexCopy do alike with tensors of any strides: rows along one dimension are
// worked on in contiguous memory, and only what is strided is copied there and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "base/plan.h"
#include "base/status.h"
#include "base/tensor_view.h"
#include "kernels/indexed_rows.h"
#include "ops/views.h"

namespace belay::ops {

/// The rows along `axis` of the tensor that is written, and where contiguous copies lie in the
/// workspace. Parameters of a plan.
struct IndexedViews {
  /// Address of each tensor; in place there is no out.
  enum Address : std::uint8_t { kSelf, kIndex, kSource, kOut };

  /// A contiguous copy in the workspace.
  struct Piece {
    bool used = false;
    std::uint64_t begin = 0;
  };

  ViewSet views;
  std::uint64_t slices = 0;  // product of the dimensions before the axis
  std::uint64_t rows = 0;
  std::uint64_t width = 0;  // and of those after it
  std::uint64_t count = 0;  // indices
  Piece index;
  Piece source;
  Piece target;
  Address out = kOut;
  std::uint8_t axis = 0;
  bool index_is_wide = false;  // int64
  bool works_on_wide = false;  // indices that int32 cannot hold stay int64
};

/// What the operator calls its tensors.
struct IndexedTensors {
  const char* self_name;
  const TensorView& self;
  const TensorView& index;
  const TensorView& source;
  const char* out_name = nullptr;
  const TensorView* out = nullptr;  // null: in place
};

/// kInvalidParam for an axis that is not in [-rank, rank); a scalar has one, as has its only row.
Status CheckAxis(std::string_view name, std::int64_t dim, const Dims& dims);
/// What an index may be of.
inline constexpr std::array kIndexTypes = {DataType::kInt32, DataType::kInt64};

/// Of an axis that passed CheckAxis, counted from the front.
std::uint8_t NormalAxis(std::int64_t dim, const Dims& dims) noexcept;
/// The dimension at that axis; 1 of a scalar.
std::int64_t SizeAt(const Dims& dims, std::size_t axis) noexcept;
/// Where that size comes from: "dimension 1 of out", or "out is a scalar".
std::string OriginOfSize(std::string_view name, std::size_t rank, std::size_t axis);

/// Of tensors that passed all checks. Enters them into the plan as accesses and into `work`, which
/// is among the plan's parameters, asks for the workspace, and makes the plan look at the indices.
void EnterIndexedViews(Plan& plan, IndexedViews& work, const IndexedTensors& tensors,
                       std::int64_t dim);

/// For Plan::inspect: kTaskException for an index that names no row. The plan's parameters begin
/// with IndexedViews.
Status InspectIndices(const Plan& plan, std::span<void* const> addresses);

/// Calls write(rows, fill) with everything in contiguous memory. `write` takes the memory that it
/// needs, then calls fill, which puts self into the target, then writes to the target alone.
void WriteRows(const IndexedViews& work, std::span<void* const> addresses,
               FunctionRef<void(const kernels::IndexedRows& rows, FunctionRef<void()> fill)> write);

}  // namespace belay::ops
