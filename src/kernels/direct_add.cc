#include "kernels/direct_add.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/cast_value.h"
#include "kernels/float_environment.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/direct_add.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The integer that C++ does not widen on its own and whose overflow is defined.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < sizeof(std::uint32_t)), std::uint32_t, T>;

template <class T>
HWY_INLINE T Sum(T sum, T factor, T update) {
  if constexpr (std::is_same_v<T, Bool>) {
    const bool added = factor.byte != 0 && update.byte != 0;
    return {static_cast<std::uint8_t>(sum.byte != 0 || added ? 1 : 0)};
  } else if constexpr (std::is_integral_v<T>) {
    using W = Wrapping<T>;
    return static_cast<T>(W{sum} + W{factor} * W{update});
  } else {
    // Compiled without contraction: the product is rounded before it is added.
    const T product = factor * update;
    return ConvertFloat<T>(sum + product);
  }
}

template <class T>
class DirectAdder {
 public:
  explicit DirectAdder(const DirectAddTask& task) : indexed_(task.indexed) {
    std::memcpy(&factor_, task.factor.data(), sizeof(T));
    if constexpr (std::is_integral_v<T>) unscaled_ = factor_ == 1;
  }

  void Run(const IndexedPart& part) const {
    if (indexed_.wide) {
      RunIndexed<std::int64_t>(part);
    } else {
      RunIndexed<std::int32_t>(part);
    }
  }

 private:
  // So many bytes of a row gain nothing by vectors.
  static constexpr std::size_t kFewBytes = 16;

  template <class Index>
  void RunIndexed(const IndexedPart& part) const {
    const std::size_t columns = part.column_end - part.column_begin;
    if (columns == 1) {
      ForEachIndexedRow<Index>(indexed_, part, sizeof(T),
                               [this](std::byte* target, const std::byte* update)
                                   HWY_ATTR { AddOne(target, update); });
    } else if (columns * sizeof(T) < kFewBytes) {
      ForEachIndexedRow<Index>(indexed_, part, sizeof(T),
                               [this, columns](std::byte* target, const std::byte* update)
                                   HWY_ATTR { AddEach(target, update, 0, columns); });
    } else {
      ForEachIndexedRow<Index>(indexed_, part, sizeof(T),
                               [this, columns](std::byte* target, const std::byte* update)
                                   HWY_ATTR { AddRow(target, update, columns); });
    }
  }

  HWY_INLINE void AddOne(std::byte* target, const std::byte* update) const {
    T sum;
    T value;
    std::memcpy(&sum, target, sizeof(T));
    std::memcpy(&value, update, sizeof(T));
    sum = Sum(sum, factor_, value);
    std::memcpy(target, &sum, sizeof(T));
  }

  HWY_INLINE void AddEach(std::byte* target, const std::byte* update, std::size_t begin,
                          std::size_t end) const {
    for (std::size_t c = begin; c < end; ++c)
      AddOne(target + c * sizeof(T), update + c * sizeof(T));
  }

  HWY_INLINE void AddRow(std::byte* target, const std::byte* update, std::size_t columns) const {
    std::size_t c = 0;
    if constexpr (std::is_floating_point_v<T>) {
      const hn::ScalableTag<T> d;
      const auto factor = hn::Set(d, factor_);
      const auto quiet_nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
      c = AddVectors(d, target, update, columns, [&](auto sum, auto value) HWY_ATTR {
        const auto result = hn::Add(sum, hn::Mul(factor, value));
        return hn::IfThenElse(hn::IsNaN(result), quiet_nan, result);
      });
    } else if constexpr (std::is_integral_v<T>) {
      const hn::ScalableTag<T> d;
      // Products of integers as narrow or as wide as these are no single instructions.
      if (unscaled_) {
        c = AddVectors(d, target, update, columns,
                       [](auto sum, auto value) HWY_ATTR { return hn::Add(sum, value); });
      }
    }
    AddEach(target, update, c, columns);
  }

  // Returns how many columns are done.
  template <class D, class Step>
  HWY_INLINE std::size_t AddVectors(D d, std::byte* target, const std::byte* update,
                                    std::size_t columns, const Step& step) const {
    auto* const sums = reinterpret_cast<T*>(target);
    const auto* const values = reinterpret_cast<const T*>(update);
    const std::size_t lanes = hn::Lanes(d);
    std::size_t c = 0;
    for (; columns - c >= 4 * lanes; c += 4 * lanes) {
      const auto a = step(hn::LoadU(d, sums + c), hn::LoadU(d, values + c));
      const auto b = step(hn::LoadU(d, sums + c + lanes), hn::LoadU(d, values + c + lanes));
      const auto e = step(hn::LoadU(d, sums + c + 2 * lanes), hn::LoadU(d, values + c + 2 * lanes));
      const auto f = step(hn::LoadU(d, sums + c + 3 * lanes), hn::LoadU(d, values + c + 3 * lanes));
      hn::StoreU(a, d, sums + c);
      hn::StoreU(b, d, sums + c + lanes);
      hn::StoreU(e, d, sums + c + 2 * lanes);
      hn::StoreU(f, d, sums + c + 3 * lanes);
    }
    for (; columns - c >= lanes; c += lanes) {
      hn::StoreU(step(hn::LoadU(d, sums + c), hn::LoadU(d, values + c)), d, sums + c);
    }
    return c;
  }

  const IndexedRows& indexed_;
  T factor_;
  bool unscaled_ = false;
};

void DirectAdd(const DirectAddTask& task, const IndexedPart& part) {
  const DefaultFloatEnvironment environment;
  switch (task.type) {
    case DirectType::kFloat:
      return DirectAdder<float>(task).Run(part);
    case DirectType::kDouble:
      return DirectAdder<double>(task).Run(part);
    case DirectType::kInt8:
      return DirectAdder<std::uint8_t>(task).Run(part);
    case DirectType::kInt16:
      return DirectAdder<std::uint16_t>(task).Run(part);
    case DirectType::kInt32:
      return DirectAdder<std::uint32_t>(task).Run(part);
    case DirectType::kInt64:
      return DirectAdder<std::uint64_t>(task).Run(part);
    case DirectType::kBool:
      return DirectAdder<Bool>(task).Run(part);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(DirectAdd);

}  // namespace

void DirectAdd(const DirectAddTask& task, const IndexedPart& part) {
  HWY_DYNAMIC_DISPATCH(DirectAdd)(task, part);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
