// Element types and formats of tensors. The numbers are those of aclDataType and aclFormat, which
// every face uses, so a face converts with a cast and unknown numbers stay what they are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/export.h"

namespace belay {

enum class DataType : std::int32_t {
  kUndefined = -1,
  kFloat = 0,
  kFloat16 = 1,
  kInt8 = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 6,
  kUint16 = 7,
  kUint32 = 8,
  kInt64 = 9,
  kUint64 = 10,
  kDouble = 11,
  kBool = 12,
  kString = 13,
  kComplex64 = 16,
  kComplex128 = 17,
  kBf16 = 27,
  kInt4 = 29,
  kUint1 = 30,
  kComplex32 = 33,
  kHifloat8 = 34,
  kFloat8E5m2 = 35,
  kFloat8E4m3fn = 36,
  kFloat8E8m0 = 37,
  kFloat6E3m2 = 38,
  kFloat6E2m3 = 39,
  kFloat4E2m1 = 40,
  kFloat4E1m2 = 41,
};

enum class Format : std::int32_t { kUndefined = -1, kNd = 2 };

/// Bytes of an element; 0 for a type without whole bytes. STRING counts as the C++ object,
/// UNDEFINED as one byte (published so).
constexpr std::uint64_t ItemBytes(DataType type) noexcept {
  switch (type) {
    case DataType::kUndefined:
    case DataType::kBool:
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kHifloat8:
    case DataType::kFloat8E5m2:
    case DataType::kFloat8E4m3fn:
    case DataType::kFloat8E8m0:
      return 1;
    case DataType::kFloat16:
    case DataType::kBf16:
    case DataType::kInt16:
    case DataType::kUint16:
      return 2;
    case DataType::kFloat:
    case DataType::kInt32:
    case DataType::kUint32:
      return 4;
    case DataType::kInt64:
    case DataType::kUint64:
    case DataType::kDouble:
    case DataType::kComplex64:
      return 8;
    case DataType::kComplex128:
      return 16;
    case DataType::kString:
      return sizeof(std::string);
    default:
      return 0;
  }
}

/// Words as the documents use them: "float16", "int32"; "dtype 99" for a number without a name.
BELAY_EXPORT std::string Name(DataType type);
/// The same of several, with commas between.
BELAY_EXPORT std::string Names(std::span<const DataType> types);
/// "ND", "NCHW"; "format 99" for a number without a name.
BELAY_EXPORT std::string Name(Format format);

/// Whether the number stands for a type or a format, undefined being one.
BELAY_EXPORT bool IsKnown(DataType type) noexcept;
BELAY_EXPORT bool IsKnown(Format format) noexcept;

}  // namespace belay
