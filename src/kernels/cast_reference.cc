#include "kernels/cast_reference.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace belay::kernels {
namespace {

// Holds every value of every type exactly.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

struct Number {
  Exact real = 0;
  Exact imaginary = 0;
};

struct FloatFormat {
  int bytes;
  int mantissa_bits;  // stored ones
  int bias;
};

constexpr FloatFormat kFp16{2, 10, 15};
constexpr FloatFormat kBf16{2, 7, 127};
constexpr FloatFormat kFloat{4, 23, 127};
constexpr FloatFormat kDouble{8, 52, 1023};

std::uint64_t Low(int bits) { return (std::uint64_t{1} << bits) - 1; }

std::uint64_t LoadBits(const std::byte* src, int bytes) {
  std::uint64_t bits = 0;
  for (int i = 0; i < bytes; ++i) bits |= std::to_integer<std::uint64_t>(src[i]) << (8 * i);
  return bits;
}

void StoreBits(std::uint64_t bits, int bytes, std::byte* dst) {
  for (int i = 0; i < bytes; ++i) dst[i] = static_cast<std::byte>(bits >> (8 * i) & 0xFF);
}

Exact LoadFloat(const FloatFormat& format, const std::byte* src) {
  const std::uint64_t bits = LoadBits(src, format.bytes);
  const bool negative = bits >> (8 * format.bytes - 1) != 0;
  const std::uint64_t mantissa = bits & Low(format.mantissa_bits);
  const auto exponent = static_cast<int>(bits >> format.mantissa_bits &
                                         Low(8 * format.bytes - 1 - format.mantissa_bits));
  Exact value = 0;
  if (exponent == 2 * format.bias + 1) {
    value = mantissa != 0 ? std::numeric_limits<Exact>::quiet_NaN()
                          : std::numeric_limits<Exact>::infinity();
  } else {
    const Exact whole = static_cast<Exact>(mantissa) +
                        (exponent != 0 ? static_cast<Exact>(Low(format.mantissa_bits)) + 1 : 0);
    value = std::ldexp(whole, std::max(exponent, 1) - format.bias - format.mantissa_bits);
  }
  return negative ? -value : value;
}

void StoreFloat(const FloatFormat& format, Exact value, bool saturate, std::byte* dst) {
  const std::uint64_t infinity = Low(8 * format.bytes - 1 - format.mantissa_bits)
                                 << format.mantissa_bits;
  std::uint64_t bits = 0;
  if (std::isnan(value)) {
    bits = infinity | std::uint64_t{1} << (format.mantissa_bits - 1);
    StoreBits(bits, format.bytes, dst);
    return;
  }
  const Exact magnitude = std::fabs(value);
  if (std::isinf(value)) {
    bits = infinity;
  } else if (magnitude != 0) {
    // In units of the last place of the value's binade, not below that of subnormal numbers.
    const int binade = std::max(std::ilogb(magnitude), 1 - format.bias);
    const Exact units = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - binade));
    // Zero has no exponent; the units of a normal number include the implied bit.
    bits = (static_cast<std::uint64_t>(binade + format.bias - 1) << format.mantissa_bits) +
           static_cast<std::uint64_t>(units);
    if (binade > format.bias || bits > infinity) bits = infinity;
  }
  if (saturate && format.bytes == 2 && bits == infinity) --bits;
  if (std::signbit(value)) bits |= std::uint64_t{1} << (8 * format.bytes - 1);
  StoreBits(bits, format.bytes, dst);
}

Exact LoadSigned(const std::byte* src, int bytes) {
  const std::uint64_t bits = LoadBits(src, bytes);
  const bool negative = bits >> (8 * bytes - 1) != 0;
  const Exact all = std::ldexp(Exact{1}, 8 * bytes);
  return static_cast<Exact>(bits) - (negative ? all : 0);
}

bool IsInteger(DataType type, int& bytes, bool& is_signed) {
  constexpr std::array kSigned = {DataType::kInt8, DataType::kInt16, DataType::kInt32,
                                  DataType::kInt64};
  constexpr std::array kUnsigned = {DataType::kUint8, DataType::kUint16, DataType::kUint32,
                                    DataType::kUint64};
  for (std::size_t i = 0; i < kSigned.size(); ++i) {
    bytes = 1 << i;
    is_signed = type == kSigned[i];
    if (is_signed || type == kUnsigned[i]) return true;
  }
  return false;
}

Number Load(DataType type, const std::byte* src) {
  int bytes = 0;
  bool is_signed = false;
  if (IsInteger(type, bytes, is_signed)) {
    return {is_signed ? LoadSigned(src, bytes) : static_cast<Exact>(LoadBits(src, bytes)), 0};
  }
  switch (type) {
    case DataType::kBool:
      return {LoadBits(src, 1) != 0 ? Exact{1} : Exact{0}, 0};
    case DataType::kFloat16:
      return {LoadFloat(kFp16, src), 0};
    case DataType::kBf16:
      return {LoadFloat(kBf16, src), 0};
    case DataType::kFloat:
      return {LoadFloat(kFloat, src), 0};
    case DataType::kDouble:
      return {LoadFloat(kDouble, src), 0};
    case DataType::kComplex64:
      return {LoadFloat(kFloat, src), LoadFloat(kFloat, src + 4)};
    default:
      return {LoadFloat(kDouble, src), LoadFloat(kDouble, src + 8)};
  }
}

// An integer of at least as many bits keeps its value; of fewer, its last bits.
void StoreInteger(Exact value, bool wraps, int bytes, bool is_signed, std::byte* dst) {
  const Exact all = std::ldexp(Exact{1}, 8 * bytes);
  const Exact least = is_signed ? -all / 2 : 0;
  const Exact most = is_signed ? all / 2 - 1 : all - 1;
  if (std::isnan(value)) value = 0;
  value = std::trunc(value);
  if (wraps) {
    value = value - std::floor(value / all) * all;
  } else {
    value = std::fmin(std::fmax(value, least), most);
    if (value < 0) value += all;
  }
  StoreBits(static_cast<std::uint64_t>(value), bytes, dst);
}

void Store(DataType type, const Number& number, bool wraps, bool saturate, std::byte* dst) {
  int bytes = 0;
  bool is_signed = false;
  if (IsInteger(type, bytes, is_signed)) {
    return StoreInteger(number.real, wraps, bytes, is_signed, dst);
  }
  switch (type) {
    case DataType::kBool:
      return StoreBits(number.real != 0 || number.imaginary != 0 ? 1 : 0, 1, dst);
    case DataType::kFloat16:
      return StoreFloat(kFp16, number.real, saturate, dst);
    case DataType::kBf16:
      return StoreFloat(kBf16, number.real, saturate, dst);
    case DataType::kFloat:
      return StoreFloat(kFloat, number.real, saturate, dst);
    case DataType::kDouble:
      return StoreFloat(kDouble, number.real, saturate, dst);
    case DataType::kComplex64:
      StoreFloat(kFloat, number.real, saturate, dst);
      return StoreFloat(kFloat, number.imaginary, saturate, dst + 4);
    default:
      StoreFloat(kDouble, number.real, saturate, dst);
      return StoreFloat(kDouble, number.imaginary, saturate, dst + 8);
  }
}

}  // namespace

void ReferenceCast(DataType from, DataType to, const std::byte* src, std::byte* dst,
                   bool saturate) {
  if (from == to) {
    std::memcpy(dst, src, ItemBytes(from));
    return;
  }
  int bytes = 0;
  bool is_signed = false;
  const bool from_integer = IsInteger(from, bytes, is_signed);
  Store(to, Load(from, src), from_integer, saturate, dst);
}

}  // namespace belay::kernels
