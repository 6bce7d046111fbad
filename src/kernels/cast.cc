#include "kernels/cast.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "kernels/cast_value.h"
#include "kernels/float_environment.h"

namespace belay::kernels {
namespace {

// Elements that are converted at a time, from an array into an array: the compiler sees how many
// there are and that they do not overlap, and uses vectors.
constexpr std::size_t kBlock = 64;

// The 16-bit formats, which pass through float32.
template <HalfFormat kFormat>
struct HalfItem {
  std::uint16_t bits;
};
using Fp16Item = HalfItem<HalfFormat::kFp16>;
using Bf16Item = HalfItem<HalfFormat::kBf16>;

template <class T>
constexpr bool kIsHalf = false;
template <HalfFormat kFormat>
constexpr bool kIsHalf<HalfItem<kFormat>> = true;

template <HalfFormat kFormat>
constexpr HalfFormat FormatOf(HalfItem<kFormat> /*item*/) {
  return kFormat;
}

template <class T>
const std::byte* Bytes(const T* items) {
  return reinterpret_cast<const std::byte*>(items);
}
template <class T>
std::byte* Bytes(T* items) {
  return reinterpret_cast<std::byte*>(items);
}

template <class From, class To>
bool AreAligned(const std::byte* src, const std::byte* dst) {
  return reinterpret_cast<std::uintptr_t>(src) % alignof(From) == 0 &&
         reinterpret_cast<std::uintptr_t>(dst) % alignof(To) == 0;
}

// All of a block, however few of its elements are wanted.
template <class From, class To>
void CastBlock(const From (&from)[kBlock], To (&to)[kBlock], FloatOverflow overflow) {
  if constexpr (kIsHalf<From>) {
    float values[kBlock];
    HalvesToFloats(FormatOf(From()), Bytes(from), Bytes(values), kBlock);
    CastBlock(values, to, overflow);
  } else if constexpr (kIsHalf<To>) {
    float values[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) values[i] = ForHalf(from[i]);
    FloatsToHalves(FormatOf(To()), Bytes(values), Bytes(to), kBlock, overflow);
  } else {
    for (std::size_t i = 0; i < kBlock; ++i) to[i] = Convert<To>(from[i]);
  }
}

template <class From, class To>
void CastItems(const std::byte* src, std::byte* dst, std::size_t count, FloatOverflow overflow) {
  if constexpr (std::is_same_v<From, To>) {
    std::memmove(dst, src, count * sizeof(From));
    return;
  } else if constexpr (kIsHalf<From> && std::is_same_v<To, float>) {
    if (AreAligned<From, To>(src, dst)) return HalvesToFloats(FormatOf(From()), src, dst, count);
  } else if constexpr (kIsHalf<To> && std::is_same_v<From, float>) {
    if (AreAligned<From, To>(src, dst)) {
      return FloatsToHalves(FormatOf(To()), src, dst, count, overflow);
    }
  }
  From from[kBlock] = {};
  To to[kBlock];
  for (std::size_t at = 0; at < count; at += kBlock) {
    const std::size_t items = std::min(kBlock, count - at);
    std::memcpy(from, src + at * sizeof(From), items * sizeof(From));
    CastBlock(from, to, overflow);
    std::memcpy(dst + at * sizeof(To), to, items * sizeof(To));
  }
}

using Function = void (*)(const std::byte* src, std::byte* dst, std::size_t count,
                          FloatOverflow overflow);

template <DataType kType, class T>
struct Item {
  static constexpr DataType kDataType = kType;
  using Type = T;
};

template <class... Items>
struct ItemList {
  static constexpr std::size_t kCount = sizeof...(Items);
  using Row = std::array<Function, kCount>;

  static constexpr std::array<DataType, kCount> kTypes = {Items::kDataType...};

  template <class From>
  static constexpr Row RowOf() {
    return {CastItems<typename From::Type, typename Items::Type>...};
  }
  static constexpr std::array<Row, kCount> kFunctions = {RowOf<Items>()...};

  // kCount for a type that is not listed.
  static constexpr std::size_t IndexOf(DataType type) {
    return static_cast<std::size_t>(std::ranges::find(kTypes, type) - kTypes.begin());
  }
};

using Castable =
    ItemList<Item<DataType::kInt8, std::int8_t>, Item<DataType::kInt16, std::int16_t>,
             Item<DataType::kInt32, std::int32_t>, Item<DataType::kInt64, std::int64_t>,
             Item<DataType::kUint8, std::uint8_t>, Item<DataType::kUint16, std::uint16_t>,
             Item<DataType::kUint32, std::uint32_t>, Item<DataType::kUint64, std::uint64_t>,
             Item<DataType::kFloat16, Fp16Item>, Item<DataType::kBf16, Bf16Item>,
             Item<DataType::kFloat, float>, Item<DataType::kDouble, double>,
             Item<DataType::kBool, Bool>, Item<DataType::kComplex64, Complex<float>>,
             Item<DataType::kComplex128, Complex<double>>>;

}  // namespace

bool CanCast(DataType type) noexcept { return Castable::IndexOf(type) != Castable::kCount; }

std::span<const DataType> CastableTypes() noexcept { return Castable::kTypes; }

void Cast(DataType from, DataType to, const std::byte* src, std::byte* dst, std::size_t count,
          FloatOverflow overflow) noexcept {
  const Function cast = Castable::kFunctions[Castable::IndexOf(from)][Castable::IndexOf(to)];
  if (from == to) return cast(src, dst, count, overflow);  // bits, not numbers
  const DefaultFloatEnvironment environment;
  cast(src, dst, count, overflow);
}

}  // namespace belay::kernels
