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
std::byte* Bytes(T* items) {
  return reinterpret_cast<std::byte*>(items);
}

template <class From>
void Load(const std::byte* src, std::size_t count, From* items) {
  std::memcpy(items, src, count * sizeof(From));
}

template <class To, class From>
void CastBlock(const From* from, std::size_t count, std::byte* dst, Overflow overflow) {
  if constexpr (kIsHalf<To>) {
    float values[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) values[i] = ForHalf(from[i]);
    FloatsToHalves(FormatOf(To()), Bytes(values), dst, count, overflow);
  } else {
    To values[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) values[i] = Convert<To>(from[i]);
    std::memcpy(dst, values, count * sizeof(To));
  }
}

template <class From, class To>
void CastItems(const std::byte* src, std::byte* dst, std::size_t count, Overflow overflow) {
  if constexpr (std::is_same_v<From, To>) {
    std::memmove(dst, src, count * sizeof(From));
  } else if constexpr (kIsHalf<From> && std::is_same_v<To, float>) {
    HalvesToFloats(FormatOf(From()), src, dst, count);
  } else if constexpr (kIsHalf<To> && std::is_same_v<From, float>) {
    FloatsToHalves(FormatOf(To()), src, dst, count, overflow);
  } else {
    using Loaded = std::conditional_t<kIsHalf<From>, float, From>;
    Loaded loaded[kBlock] = {};  // what is beyond a last, shorter block is converted for nothing
    for (std::size_t at = 0; at < count; at += kBlock) {
      const std::size_t items = std::min(kBlock, count - at);
      if constexpr (kIsHalf<From>) {
        HalvesToFloats(FormatOf(From()), src + at * sizeof(From), Bytes(loaded), items);
      } else {
        Load(src + at * sizeof(From), items, loaded);
      }
      CastBlock<To>(loaded, items, dst + at * sizeof(To), overflow);
    }
  }
}

using Function = void (*)(const std::byte* src, std::byte* dst, std::size_t count,
                          Overflow overflow);

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

void Cast(DataType from, DataType to, const std::byte* src, std::byte* dst, std::size_t count,
          Overflow overflow) noexcept {
  const Function cast = Castable::kFunctions[Castable::IndexOf(from)][Castable::IndexOf(to)];
  const DefaultFloatEnvironment environment;
  cast(src, dst, count, overflow);
}

}  // namespace belay::kernels
