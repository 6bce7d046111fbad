// Kernels one by one, on one thread and without the API: what is left of an operator's time when
// nothing is checked, looked up or handed over. PackQuant has cases of its own (quant_kernel.cc).
#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/data_type.h"
#include "contest.h"
#include "kernels/cast.h"
#include "kernels/copy_nd.h"
#include "kernels/dense_add.h"
#include "kernels/direct_add.h"
#include "kernels/index_list.h"
#include "kernels/index_scan.h"
#include "kernels/row_add.h"
#include "kernels/row_copy.h"
#include "kernels/slice_group_add.h"
#include "kernels/strided_cast.h"
#include "kernels/strided_copy.h"
#include "kernels/tile.h"
#include "kernels/wide_add.h"
#include "memory.h"

namespace belay::bench {
namespace {

constexpr std::size_t kKib = 1024;
constexpr std::size_t kHalfBytes = 2;
constexpr std::size_t kFloatBytes = 4;
constexpr std::size_t kIndexBytes = sizeof(std::int32_t);

/// What a kernel works on. The indices are random, in [0, rows).
struct Room {
  std::byte* dst;
  std::byte* src;
  std::byte* indices;
};

struct Kernel {
  std::string name;
  std::size_t dst_bytes = 0;
  std::size_t src_bytes = 0;
  std::size_t rows = 1;
  std::size_t count = 0;  // of indices
  std::vector<Traffic> traffic;
  std::function<Call(const Room& room)> make;
};

class KernelContest : public Contest {
 public:
  explicit KernelContest(const Kernel& kernel)
      : kernel_(kernel),
        dst_(DeviceBlock(kernel.dst_bytes)),
        src_(DeviceBlock(kernel.src_bytes)),
        indices_(DeviceBlock(std::max(kernel.count, std::size_t{1}) * kIndexBytes)) {
    std::mt19937 random(1);
    for (std::size_t k = 0; k < kernel.count; ++k) {
      const auto index = static_cast<std::int32_t>(random() % kernel.rows);
      std::memcpy(indices_.get() + k * kIndexBytes, &index, sizeof(index));
    }
    Reset();
  }

  std::vector<Contestant> MakeContestants(std::span<const std::unique_ptr<Peer>>) override {
    return {{.name = "Belay",
             .run = kernel_.make({dst_.get(), src_.get(), indices_.get()}),
             .settle = {}}};
  }

  // Zeros are numbers of every type, and stay zeros however often they are added.
  void Reset() override {
    std::memset(dst_.get(), 0, kernel_.dst_bytes);
    std::memset(src_.get(), 0, kernel_.src_bytes);
  }
  [[nodiscard]] std::vector<std::byte> Result() const override {
    return {dst_.get(), dst_.get() + kernel_.dst_bytes};
  }

 private:
  const Kernel& kernel_;
  Block dst_;
  Block src_;
  Block indices_;
};

double Bytes(std::size_t bytes) { return static_cast<double>(bytes); }

Kernel CopyNdKernel(std::size_t rows, std::size_t row_bytes) {
  Kernel kernel;
  kernel.name = "CopyNd, " + std::to_string(rows) + " rows of " + std::to_string(row_bytes) +
                " bytes, every other one";
  kernel.dst_bytes = 2 * rows * row_bytes;
  kernel.src_bytes = rows * row_bytes;
  kernel.traffic = {{Kind::kCopy, Bytes(2 * rows * row_bytes)}};
  kernel.make = [rows, row_bytes](const Room& room) -> Call {
    kernels::Box box;
    box.rank = 1;
    box.sizes[0] = rows;
    box.dst_stride_bytes[0] = 2 * row_bytes;
    box.src_stride_bytes[0] = row_bytes;
    box.row_bytes = row_bytes;
    const kernels::Writing writing = kernels::WritingOf(box, room.dst);
    return [=] { kernels::CopyNd(box, room.src, room.dst, 0, box.TotalBytes(), writing); };
  };
  return kernel;
}

Kernel TileKernel(std::size_t row_bytes, std::size_t repeats) {
  Kernel kernel;
  kernel.name =
      "Tile, " + std::to_string(row_bytes) + " bytes " + std::to_string(repeats) + " times";
  kernel.dst_bytes = row_bytes * repeats;
  kernel.src_bytes = row_bytes;
  kernel.traffic = {{Kind::kRead, Bytes(row_bytes)}, {Kind::kFill, Bytes(row_bytes * repeats)}};
  kernel.make = [row_bytes, repeats](const Room& room) -> Call {
    kernels::Tiling tiling;
    tiling.rank = 1;
    tiling.sizes[0] = row_bytes;
    tiling.repeats[0] = repeats;
    const kernels::Writing writing = kernels::WritingOf(tiling, 1);
    return [=] { kernels::Tile(tiling, room.src, room.dst, 0, tiling.TotalBytes(), writing); };
  };
  return kernel;
}

kernels::StridedBox Transposition(std::size_t size, std::size_t src_item, std::size_t dst_item) {
  kernels::StridedBox box;
  box.rank = 2;
  box.sizes[0] = box.sizes[1] = size;
  box.dst_stride_bytes[0] = size * dst_item;
  box.dst_stride_bytes[1] = dst_item;
  box.src_stride_bytes[0] = src_item;
  box.src_stride_bytes[1] = size * src_item;
  box.item_bytes = dst_item;
  return box;
}

Kernel TransposeKernel(std::size_t size) {
  Kernel kernel;
  kernel.name =
      "StridedCopy, fp16 (" + std::to_string(size) + "," + std::to_string(size) + ") transposed";
  kernel.dst_bytes = kernel.src_bytes = size * size * kHalfBytes;
  kernel.traffic = {{Kind::kCopy, Bytes(2 * kernel.dst_bytes)}};
  kernel.make = [size](const Room& room) -> Call {
    const kernels::StridedBox box = kernels::Merged(Transposition(size, kHalfBytes, kHalfBytes));
    return [=] { kernels::StridedCopy(box, room.src, room.dst, 0, box.TotalBytes()); };
  };
  return kernel;
}

Kernel CastKernel(DataType from, DataType to, std::size_t count) {
  Kernel kernel;
  kernel.name = "Cast, " + std::to_string(count) + " " + std::string(Name(from)) + " to " +
                std::string(Name(to));
  kernel.dst_bytes = count * ItemBytes(to);
  kernel.src_bytes = count * ItemBytes(from);
  kernel.traffic = {{Kind::kCopy, Bytes(kernel.dst_bytes + kernel.src_bytes)}};
  kernel.make = [=](const Room& room) -> Call {
    return [=] { kernels::Cast(from, to, room.src, room.dst, count, FloatOverflow::kInfNan); };
  };
  return kernel;
}

Kernel StridedCastKernel(std::size_t size) {
  Kernel kernel;
  kernel.name = "StridedCast, float (" + std::to_string(size) + "," + std::to_string(size) +
                ") transposed to fp16";
  kernel.dst_bytes = size * size * kHalfBytes;
  kernel.src_bytes = size * size * kFloatBytes;
  kernel.traffic = {{Kind::kCopy, Bytes(kernel.dst_bytes + kernel.src_bytes)}};
  kernel.make = [size](const Room& room) -> Call {
    const kernels::StridedBox box =
        kernels::WithMergedDims(Transposition(size, kFloatBytes, kHalfBytes));
    const kernels::CastKind kind{DataType::kFloat, DataType::kFloat16, FloatOverflow::kInfNan};
    return [=] { kernels::StridedCast(box, kind, room.src, room.dst, 0, box.ItemCount()); };
  };
  return kernel;
}

Kernel ScanKernel(std::size_t count) {
  Kernel kernel;
  kernel.name = "AllWithin, " + std::to_string(count) + " indices";
  kernel.dst_bytes = kernel.src_bytes = 64;
  kernel.rows = count;
  kernel.count = count;
  kernel.traffic = {{Kind::kRead, Bytes(count * kIndexBytes)}};
  kernel.make = [count](const Room& room) -> Call {
    return [=] {
      const bool within =
          kernels::AllWithin(room.indices, count, static_cast<std::int32_t>(count - 1));
      std::memcpy(room.dst, &within, sizeof(within));
    };
  };
  return kernel;
}

/// Of `count` rows that are added to, each once and in order.
Kernel PairedKernel(const std::string& name, std::size_t count, std::size_t width,
                    std::function<void(const Room&, const kernels::RowPairs&)> add) {
  Kernel kernel;
  kernel.name = name + ", " + std::to_string(count) + " rows of " + std::to_string(width) + " fp16";
  kernel.dst_bytes = kernel.src_bytes = count * width * kHalfBytes;
  kernel.count = count;
  kernel.traffic = {{Kind::kAddFp16, Bytes(3 * kernel.dst_bytes)}};
  kernel.make = [=, add = std::move(add)](const Room& room) -> Call {
    for (std::size_t k = 0; k < count; ++k) {
      const auto row = static_cast<std::int32_t>(k);
      std::memcpy(room.indices + k * kIndexBytes, &row, sizeof(row));
    }
    return [=] { add(room, {room.indices, nullptr, count}); };
  };
  return kernel;
}

Kernel RowAddKernel(std::size_t count, std::size_t width) {
  return PairedKernel(
      "RowAdd", count, width, [=](const Room& room, const kernels::RowPairs& pairs) {
        kernels::RowAdd({kernels::HalfFormat::kFp16, 1.0F, width, room.src, room.dst, pairs},
                        {0, count, 0, width});
      });
}

Kernel WideAddKernel(std::size_t count, std::size_t width) {
  return PairedKernel(
      "WideAdd", count, width, [=](const Room& room, const kernels::RowPairs& pairs) {
        kernels::WideAdd({kernels::WideType::kFp16, 1.0, width, room.src, room.dst, pairs},
                         {0, count, 0, width});
      });
}

/// Of random rows, some of them more than once. `passes` over as many bytes as the source has.
Kernel IndexedKernel(const std::string& name, std::size_t rows, std::size_t width,
                     std::size_t count, std::size_t item_bytes, Kind kind, std::size_t passes) {
  Kernel kernel;
  kernel.name = name + ", " + std::to_string(count) + " of " + std::to_string(rows) + " rows of " +
                std::to_string(width);
  kernel.dst_bytes = rows * width * item_bytes;
  kernel.src_bytes = count * width * item_bytes;
  kernel.rows = rows;
  kernel.count = count;
  kernel.traffic = {{kind, Bytes(passes * kernel.src_bytes)}};
  return kernel;
}

kernels::IndexedRows IndexedRowsOf(const Room& room, std::size_t rows, std::size_t width,
                                   std::size_t count) {
  return {rows, width, count, false, room.indices, room.src, room.dst};
}

Kernel DirectAddKernel(std::size_t rows, std::size_t width, std::size_t count) {
  Kernel kernel =
      IndexedKernel("DirectAdd, float", rows, width, count, kFloatBytes, Kind::kCopy, 3);
  kernel.make = [=](const Room& room) -> Call {
    kernels::DirectAddTask task;
    const float one = 1.0F;
    std::memcpy(task.factor.data(), &one, sizeof(one));
    task.indexed = IndexedRowsOf(room, rows, width, count);
    return [=] { kernels::DirectAdd(task, {0, 1, 0, rows, 0, width}); };
  };
  return kernel;
}

Kernel RowCopyKernel(std::size_t rows, std::size_t width, std::size_t count) {
  Kernel kernel = IndexedKernel("RowCopy, fp16", rows, width, count, kHalfBytes, Kind::kCopy, 2);
  kernel.make = [=](const Room& room) -> Call {
    const kernels::IndexedRows indexed = IndexedRowsOf(room, rows, width, count);
    return [=] { kernels::RowCopy(indexed, kHalfBytes, {0, 1, 0, rows, 0, width}); };
  };
  return kernel;
}

kernels::DenseAddTask DenseTask(const Room& room, std::size_t rows, std::size_t count) {
  return {
      kernels::HalfFormat::kFp16, 1.0F, rows, 1, count, count, room.indices, room.src, room.dst};
}

Kernel DenseAddKernel(std::size_t rows, std::size_t count) {
  Kernel kernel = IndexedKernel("DenseAdd, fp16", rows, 1, count, kHalfBytes, Kind::kAddFp16, 3);
  kernel.make = [=](const Room& room) -> Call {
    const kernels::DenseAddTask task = DenseTask(room, rows, count);
    return [task, sums = std::vector<float>(rows)]() mutable {
      kernels::DenseAddSlices(task, 0, 1, sums.data(), sums.size());
    };
  };
  return kernel;
}

Kernel SliceGroupAddKernel(std::size_t slices, std::size_t rows, std::size_t count) {
  Kernel kernel = IndexedKernel("GroupAddSlices, fp16, " + std::to_string(slices) + " slices", rows,
                                1, count, kHalfBytes, Kind::kAddFp16, 0);
  kernel.dst_bytes *= slices;
  kernel.src_bytes *= slices;
  kernel.traffic = {{Kind::kAddFp16, Bytes(kernel.src_bytes + 2 * kernel.dst_bytes)}};
  kernel.make = [=](const Room& room) -> Call {
    const kernels::DenseAddTask task = DenseTask(room, rows, count);
    return [task, slices, plan = kernels::SliceGroupPlan(task),
            space = std::vector<std::uint16_t>(kernels::GroupRoom(count))]() mutable {
      kernels::GroupAddSlices(task, plan, 0, slices, space.data());
    };
  };
  return kernel;
}

}  // namespace

void AddKernelCases(Cases& cases) {
  static const std::vector<Kernel> kKernels = {
      CopyNdKernel(64, 64),
      CopyNdKernel(64, 4 * kKib),
      CopyNdKernel(4096, 16 * kKib),
      TileKernel(64, 1024),
      TileKernel(4 * kKib, 64),
      TileKernel(4 * kKib, 8192),
      TransposeKernel(512),
      CastKernel(DataType::kFloat, DataType::kFloat16, 64 * kKib),
      CastKernel(DataType::kInt64, DataType::kInt32, 64 * kKib),
      StridedCastKernel(512),
      ScanKernel(64 * kKib),
      RowAddKernel(64, 2048),
      RowAddKernel(1024, 64),
      WideAddKernel(64, 2048),
      DirectAddKernel(1024, 64, 1024),
      RowCopyKernel(1024, 64, 1024),
      DenseAddKernel(16 * kKib, 16 * kKib),
      SliceGroupAddKernel(64, 1024, 512),
  };
  for (const Kernel& kernel : kKernels) {
    Case one;
    one.group = "Kernel";
    one.name = kernel.name;
    one.traffic = kernel.traffic;
    one.working_set = kernel.dst_bytes + kernel.src_bytes;
    one.prepare = [&kernel] { return std::make_unique<KernelContest>(kernel); };
    cases.push_back(std::move(one));
  }
}

}  // namespace belay::bench
