#include "ops/indexed_views.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "kernels/index_list.h"
#include "ops/view_copy.h"

namespace belay::ops {
namespace {

constexpr std::uint64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

// Pieces of a workspace, one after the other; each begins at a whole line.
class Pieces {
 public:
  IndexedViews::Piece Add(std::uint64_t bytes) noexcept {
    const std::uint64_t begin = total_;
    total_ += (bytes + kLine - 1) / kLine * kLine;
    return {true, begin};
  }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

 private:
  static constexpr std::uint64_t kLine = 64;
  std::uint64_t total_ = 0;
};

kernels::IndexList IndicesOf(const IndexedViews& work, std::span<void* const> addresses) noexcept {
  const Layout& layout = work.views.layouts[IndexedViews::kIndex];
  return {static_cast<const std::byte*>(addresses[IndexedViews::kIndex]), work.index_is_wide,
          layout.stride_bytes[0], work.count};
}

const char* NameOfWritten(const Plan& plan, const IndexedViews& work) noexcept {
  return plan.accesses()[work.out].argument;
}

}  // namespace

Status CheckAxis(std::string_view name, std::int64_t dim, const Dims& dims) {
  const auto limit = static_cast<std::int64_t>(std::max<std::uint64_t>(dims.rank, 1));
  if (dim >= -limit && dim < limit) return {};
  return Refuse(Fault::kInvalidParam, "dim is {}; allowed {} to {} ({} has {} dimensions)", dim,
                -limit, limit - 1, name, dims.rank);
}

std::uint8_t NormalAxis(std::int64_t dim, const Dims& dims) noexcept {
  const auto limit = static_cast<std::int64_t>(std::max<std::uint64_t>(dims.rank, 1));
  return static_cast<std::uint8_t>(dim < 0 ? dim + limit : dim);
}

std::int64_t SizeAt(const Dims& dims, std::size_t axis) noexcept {
  return dims.rank == 0 ? 1 : dims[axis];
}

std::string OriginOfSize(std::string_view name, std::size_t rank, std::size_t axis) {
  return rank == 0 ? Text("{} is a scalar", name) : Text("dimension {} of {}", axis, name);
}

void EnterIndexedViews(Plan& plan, IndexedViews& work, const IndexedTensors& tensors,
                       std::int64_t dim) {
  const bool in_place = tensors.out == nullptr;
  const ViewUse uses[] = {
      {tensors.self_name, &tensors.self, in_place ? AccessMode::kReadWrite : AccessMode::kRead},
      {"index", &tensors.index, AccessMode::kRead},
      {"source", &tensors.source, AccessMode::kRead},
      {tensors.out_name, tensors.out, AccessMode::kWrite},
  };
  AddViews(plan, work.views, std::span(uses).first(in_place ? 3 : 4));
  work.axis = NormalAxis(dim, tensors.self.dims);
  work.slices = 1;
  work.rows = 1;
  work.width = 1;
  const Layout& self = work.views.layouts[IndexedViews::kSelf];
  for (std::size_t i = 0; i < self.rank; ++i) {
    if (i < work.axis) work.slices *= self.sizes[i];
    if (i == work.axis) work.rows = self.sizes[i];
    if (i > work.axis) work.width *= self.sizes[i];
  }
  const Layout& index = work.views.layouts[IndexedViews::kIndex];
  const Layout& source = work.views.layouts[IndexedViews::kSource];
  work.count = index.Count();
  work.out = in_place ? IndexedViews::kSelf : IndexedViews::kOut;
  work.index_is_wide = tensors.index.dtype == DataType::kInt64;
  work.works_on_wide = work.index_is_wide && work.rows - 1 > kMaxInt32;

  Pieces pieces;
  if (!index.IsContiguous() || work.index_is_wide != work.works_on_wide) {
    const std::uint64_t index_bytes =
        work.works_on_wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
    work.index = pieces.Add(work.count * index_bytes);
  }
  if (!source.IsContiguous()) work.source = pieces.Add(source.TotalBytes());
  if (!work.views.layouts[work.out].IsContiguous()) work.target = pieces.Add(self.TotalBytes());
  plan.workspace_bytes = pieces.total();
  plan.inspect = InspectIndices;
}

Status InspectIndices(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<IndexedViews>();
  const kernels::IndexList indices = IndicesOf(work, addresses);
  const std::optional<std::uint64_t> k =
      kernels::FindOutside(indices, static_cast<std::int64_t>(work.rows - 1));
  if (!k) return {};
  return Refuse(
      Fault::kTaskException, "index[{}] is {}; allowed 0..{} ({})", *k, indices[*k], work.rows - 1,
      OriginOfSize(NameOfWritten(plan, work), work.views.layouts[work.out].rank, work.axis));
}

void WriteRows(
    const IndexedViews& work, std::span<void* const> addresses,
    FunctionRef<void(const kernels::IndexedRows& rows, FunctionRef<void()> fill)> write) {
  const auto address = [&](std::size_t i) { return static_cast<std::byte*>(addresses[i]); };
  std::byte* const workspace = address(work.views.count);
  const Layout& self = work.views.layouts[IndexedViews::kSelf];
  const Layout& source = work.views.layouts[IndexedViews::kSource];
  const Layout& out = work.views.layouts[work.out];

  kernels::IndexedRows rows;
  rows.rows = work.rows;
  rows.width = work.width;
  rows.count = work.count;
  rows.wide = work.works_on_wide;
  rows.target = work.target.used ? workspace + work.target.begin : address(work.out);

  // What is the very view that is written is kept before that.
  std::unique_ptr<std::byte[]> own_index;
  if (work.index.used) {
    std::byte* const copy = workspace + work.index.begin;
    kernels::Gather(IndicesOf(work, addresses), work.works_on_wide, copy);
    rows.indices = copy;
  } else if (address(IndexedViews::kIndex) == rows.target) {
    const std::uint64_t bytes = work.views.layouts[IndexedViews::kIndex].TotalBytes();
    own_index = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(own_index.get(), rows.target, bytes);
    rows.indices = own_index.get();
  } else {
    rows.indices = address(IndexedViews::kIndex);
  }

  std::unique_ptr<std::byte[]> own_source;
  const auto copy_source = [&](std::byte* copy) {
    CopyBox(BroadcastBox(ContiguousLayout(source), source), address(IndexedViews::kSource), copy);
  };
  if (work.source.used) {
    rows.source = workspace + work.source.begin;
    copy_source(workspace + work.source.begin);
  } else if (address(IndexedViews::kSource) == rows.target) {
    own_source = std::make_unique_for_overwrite<std::byte[]>(source.TotalBytes());
    copy_source(own_source.get());
    rows.source = own_source.get();
  } else {
    rows.source = address(IndexedViews::kSource);
  }

  write(rows, [&] {
    if (address(IndexedViews::kSelf) == rows.target) return;  // it is what is written
    CopyBox(BroadcastBox(ContiguousLayout(out), self), address(IndexedViews::kSelf), rows.target);
  });
  if (work.target.used) {
    CopyBox(BroadcastBox(out, ContiguousLayout(out)), rows.target, address(work.out));
  }
}

}  // namespace belay::ops
