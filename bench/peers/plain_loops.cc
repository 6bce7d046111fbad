#include "peers/plain_loops.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace belay::bench::plain {
namespace {

void CopyFrom(const Rows& rows, std::size_t level, std::byte* dst, const std::byte* src) {
  if (level == rows.rank) {
    std::memcpy(dst, src, static_cast<std::size_t>(rows.row_bytes));
    return;
  }
  if (level + 1 == rows.rank) {
    for (std::int64_t i = 0; i < rows.sizes[level]; ++i) {
      std::memcpy(dst + i * rows.dst_steps[level], src + i * rows.src_steps[level],
                  static_cast<std::size_t>(rows.row_bytes));
    }
    return;
  }
  for (std::int64_t i = 0; i < rows.sizes[level]; ++i) {
    CopyFrom(rows, level + 1, dst + i * rows.dst_steps[level], src + i * rows.src_steps[level]);
  }
}

template <class T>
void FillRunsOf(std::byte* dst, const std::byte* src, std::int64_t count, std::int64_t times) {
  T* out = reinterpret_cast<T*>(dst);
  const T* in = reinterpret_cast<const T*>(src);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t r = 0; r < times; ++r) out[i * times + r] = in[i];
  }
}

struct Bf16 {
  static float Widen(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  static std::uint16_t Narrow(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
  }
};

// The compiler's own half: calls into its library where the oldest machine has no instruction.
#if defined(__x86_64__)
using Half = _Float16;
#else
using Half = __fp16;
#endif
struct Fp16 {
  static float Widen(std::uint16_t bits) { return static_cast<float>(std::bit_cast<Half>(bits)); }
  static std::uint16_t Narrow(float value) {
    return std::bit_cast<std::uint16_t>(static_cast<Half>(value));
  }
};

template <class Format>
void AddRowsOf(const IndexAddProblem& problem, const AxisView& view) {
  auto* var = reinterpret_cast<std::uint16_t*>(problem.var);
  const auto* updates = reinterpret_cast<const std::uint16_t*>(problem.updates);
  for (std::int64_t o = 0; o < view.outer; ++o) {
    for (std::int64_t k = 0; k < problem.index_count; ++k) {
      std::uint16_t* row = var + (o * view.size + problem.indices[k]) * view.inner;
      const std::uint16_t* update = updates + (o * problem.index_count + k) * view.inner;
      for (std::int64_t c = 0; c < view.inner; ++c) {
        row[c] = Format::Narrow(Format::Widen(row[c]) + Format::Widen(update[c]));
      }
    }
  }
}

}  // namespace

void CopyRows(const Rows& rows, std::byte* dst, const std::byte* src) {
  CopyFrom(rows, 0, dst, src);
}

void RepeatAxis(std::byte* dst, const std::byte* src, std::int64_t outer, std::int64_t times,
                std::int64_t slice_bytes) {
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t r = 0; r < times; ++r) {
      std::memcpy(dst + (o * times + r) * slice_bytes, src + o * slice_bytes,
                  static_cast<std::size_t>(slice_bytes));
    }
  }
}

void FillRuns(Type type, std::byte* dst, const std::byte* src, std::int64_t count,
              std::int64_t times) {
  switch (SizeOf(type)) {
    case 2:
      return FillRunsOf<std::uint16_t>(dst, src, count, times);
    case 4:
      return FillRunsOf<std::uint32_t>(dst, src, count, times);
    default:
      return FillRunsOf<std::uint64_t>(dst, src, count, times);
  }
}

void AddRows(const IndexAddProblem& problem, const AxisView& view) {
  if (problem.type == Type::kFp16) return AddRowsOf<Fp16>(problem, view);
  return AddRowsOf<Bf16>(problem, view);
}

void PackQuant(const float* scale, const float* offset, std::int64_t n, std::uint64_t* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = (std::bit_cast<std::uint32_t>(scale[i]) & 0xFFFFE000U) | std::uint64_t{1} << 46;
  }
  if (offset == nullptr) return;
  for (std::int64_t i = 0; i < n; ++i) {
    const float clamped = std::fmin(std::fmax(std::round(offset[i]), -256.0F), 255.0F);
    const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(clamped)) & 0x1FF;
    out[i] |= bits << 37;
  }
}

}  // namespace belay::bench::plain
