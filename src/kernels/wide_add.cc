#include "kernels/wide_add.h"

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <cstring>

#include "kernels/cast_value.h"
#include "kernels/float_environment.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wide_add.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include "kernels/half_simd-inl.h"
#include "kernels/row_walk-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

// Updates of a row that are added while its sums are in registers.
constexpr std::size_t kSideBySide = 8;

// Columns whose sums are kept at a time; they stay in the first-level cache.
constexpr std::size_t kBlock = 1024;

using Doubles = hn::CappedTag<double, 8>;

// As RoundToOdd of kernels/cast_value.h.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> RoundedToOdd(D d, hn::Vec<D> values) {
  const hn::Rebind<float, D> narrow;
  const hn::RebindToUnsigned<D> wide_bits;
  const hn::RebindToUnsigned<decltype(narrow)> narrow_bits;
  const auto nearest = hn::DemoteTo(narrow, values);
  const auto back = hn::PromoteTo(d, nearest);
  const auto all_ones = [&](auto mask) HWY_ATTR {
    return hn::TruncateTo(narrow_bits, hn::BitCast(wide_bits, hn::VecFromMask(d, mask)));
  };
  // Towards zero, from infinity as well; then odd.
  const auto beyond = all_ones(hn::Gt(hn::Abs(back), hn::Abs(values)));
  const auto inexact = hn::And(all_ones(hn::Ne(back, values)), hn::Set(narrow_bits, 1));
  const auto bits = hn::Add(hn::BitCast(narrow_bits, nearest), beyond);
  return hn::BitCast(narrow, hn::Or(bits, inexact));
}

// The same where float32 is normal, at a third of the cost: of a double's mantissa, what float32
// has no room for is or-ed into the last bit that it has. Beyond the range it is infinite, and NaN
// stays NaN.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> NormalToOdd(D d, hn::Vec<D> values) {
  const hn::RebindToUnsigned<D> du;
  const auto lost = hn::Set(du, (std::uint64_t{1} << 29) - 1);
  const auto bits = hn::BitCast(du, values);
  const auto odd = hn::Or(bits, hn::Add(hn::And(bits, lost), lost));
  return hn::DemoteTo(hn::Rebind<float, D>(), hn::BitCast(d, hn::AndNot(lost, odd)));
}

// What rounds to the format as the double does. What is subnormal as float32 is so near to zero
// that any of it becomes zero as fp16, but not as bf16; both are infinite beyond float32's range.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> ForHalf(Fp16 /*half*/, D d, hn::Vec<D> values) {
  return NormalToOdd(d, values);
}
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> ForHalf(Bf16 /*half*/, D d, hn::Vec<D> values) {
  const auto tiny = hn::Lt(hn::Abs(values), hn::Set(d, double{FLT_MIN}));
  if (HWY_UNLIKELY(!hn::AllFalse(d, hn::And(tiny, hn::Ne(values, hn::Zero(d)))))) {
    return RoundedToOdd(d, values);
  }
  return NormalToOdd(d, values);
}

// Highway reads and writes parts of a vector as numbers, which have to be aligned.
template <class D>
HWY_INLINE hn::Vec<D> LoadFloats(D d, const std::byte* from) {
  if constexpr (hn::MaxLanes(d) >= 4) {
    return hn::LoadU(d, reinterpret_cast<const float*>(from));
  } else {
    HWY_ALIGN float values[hn::MaxLanes(d)];
    std::memcpy(values, from, sizeof(values));
    return hn::Load(d, values);
  }
}

template <class D>
HWY_INLINE void StoreFloats(D d, hn::Vec<D> vector, std::byte* to) {
  if constexpr (hn::MaxLanes(d) >= 4) {
    hn::StoreU(vector, d, reinterpret_cast<float*>(to));
  } else {
    HWY_ALIGN float values[hn::MaxLanes(d)];
    hn::Store(vector, d, values);
    std::memcpy(to, values, sizeof(values));
  }
}

struct Single {
  static constexpr std::size_t kBytes = sizeof(float);

  template <class D>
  HWY_INLINE static hn::Vec<D> Load(D d, const std::byte* from) {
    const hn::Rebind<float, D> narrow;
    return hn::PromoteTo(d, LoadFloats(narrow, from));
  }
  template <class D>
  HWY_INLINE static void Store([[maybe_unused]] D d, hn::Vec<D> sums, std::byte* to) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    // Highway's conversion in plain C++ saturates.
    HWY_ALIGN double values[hn::MaxLanes(d)];
    hn::Store(sums, d, values);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      const auto value = ConvertFloat<float>(values[i]);
      std::memcpy(to + i * kBytes, &value, kBytes);
    }
#else
    const hn::Rebind<float, D> narrow;
    const auto values = WithCanonicalNan(narrow, hn::DemoteTo(narrow, sums));
    StoreFloats(narrow, values, to);
#endif
  }
};

template <class Half>
struct Halved {
  static constexpr std::size_t kBytes = sizeof(std::uint16_t);

  template <class D>
  HWY_INLINE static hn::Vec<D> Load(D d, const std::byte* from) {
    return hn::PromoteTo(d, LoadHalves(Half(), hn::Rebind<float, D>(), from));
  }
  template <class D>
  HWY_INLINE static void Store(D d, hn::Vec<D> sums, std::byte* to) {
    StoreHalves(Half(), hn::Rebind<float, D>(), ForHalf(Half(), d, sums), to);
  }
};

// Calls step(d, c) for vectors that together are exactly [0, columns).
template <class Step>
HWY_INLINE void ForEachDoubles(std::size_t columns, const Step& step) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t c = 0;
  for (; columns - c >= lanes; c += lanes) step(d, c);
  for (; c < columns; ++c) step(hn::CappedTag<double, 1>(), c);
}

template <class Type>
class WideAdder {
 public:
  explicit WideAdder(const WideAddTask& task)
      : task_(task),
        rows_{task.pairs, task.updates, task.target, Type::kBytes, task.width * Type::kBytes} {}

  void Run(const RowAddPart& part) const {
    ForEachRow(rows_, part, [&](std::size_t begin, std::size_t end, std::byte* row) HWY_ATTR {
      AddPairs(begin, end, row, part);
    });
  }

 private:
  void AddPairs(std::size_t begin, std::size_t end, std::byte* row, const RowAddPart& part) const {
    if (end - begin == 1) {
      const std::byte* const update = rows_.Update(begin);
      AddFew(row, part, [update](std::size_t at, const auto& add) HWY_ATTR { add(update + at); });
    } else if (end - begin <= kSideBySide) {
      AddFew(row, part, [&](std::size_t at, const auto& add) HWY_ATTR {
        for (std::size_t pair = begin; pair < end; ++pair) add(rows_.Update(pair) + at);
      });
    } else {
      AddMany(begin, end, row, part);
    }
  }

  // for_each(at, add) calls add with each update's byte `at`.
  template <class ForEach>
  HWY_INLINE void AddFew(std::byte* row, const RowAddPart& part, const ForEach& for_each) const {
    const std::size_t first = part.column_begin * Type::kBytes;
    ForEachDoubles(part.column_end - part.column_begin, [&](auto d, std::size_t c) HWY_ATTR {
      const std::size_t at = first + c * Type::kBytes;
      auto sums = Type::Load(d, row + at);
      for_each(at,
               [&](const std::byte* update) HWY_ATTR { sums = hn::Add(sums, Product(d, update)); });
      Type::Store(d, sums, row + at);
    });
  }

  HWY_NOINLINE void AddMany(std::size_t begin, std::size_t end, std::byte* row,
                            const RowAddPart& part) const {
    HWY_ALIGN double sums[kBlock];
    for (std::size_t at = part.column_begin; at < part.column_end; at += kBlock) {
      const std::size_t columns = std::min(kBlock, part.column_end - at);
      const std::size_t offset = at * Type::kBytes;
      ForEachDoubles(columns, [&](auto d, std::size_t c) HWY_ATTR {
        hn::StoreU(Type::Load(d, row + offset + c * Type::kBytes), d, sums + c);
      });
      for (std::size_t pair = begin; pair < end; ++pair) {
        AddUpdate(rows_.Update(pair) + offset, columns, sums);
      }
      ForEachDoubles(columns, [&](auto d, std::size_t c) HWY_ATTR {
        Type::Store(d, hn::LoadU(d, sums + c), row + offset + c * Type::kBytes);
      });
    }
  }

  // Compiled without contraction: the product is rounded before it is added.
  template <class D>
  HWY_INLINE hn::Vec<D> Product(D d, const std::byte* update) const {
    return hn::Mul(hn::Set(d, task_.factor), Type::Load(d, update));
  }

  HWY_INLINE void AddUpdate(const std::byte* update, std::size_t columns, double* sums) const {
    ForEachDoubles(columns, [&](auto d, std::size_t c) HWY_ATTR {
      const auto product = Product(d, update + c * Type::kBytes);
      hn::StoreU(hn::Add(hn::LoadU(d, sums + c), product), d, sums + c);
    });
  }

  const WideAddTask& task_;
  const PairedRows rows_;
};

void WideAdd(const WideAddTask& task, const RowAddPart& part) {
  const DefaultFloatEnvironment environment;
  switch (task.type) {
    case WideType::kFp16:
      return WideAdder<Halved<Fp16>>(task).Run(part);
    case WideType::kBf16:
      return WideAdder<Halved<Bf16>>(task).Run(part);
    case WideType::kFloat:
      return WideAdder<Single>(task).Run(part);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(WideAdd);

}  // namespace

void WideAdd(const WideAddTask& task, const RowAddPart& part) {
  HWY_DYNAMIC_DISPATCH(WideAdd)(task, part);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
