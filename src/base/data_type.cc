#include "base/data_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace belay {
namespace {

using namespace std::string_view_literals;

constexpr std::array kDataTypes = {
    std::pair{DataType::kUndefined, "undefined"sv},
    std::pair{DataType::kFloat, "float"sv},
    std::pair{DataType::kFloat16, "float16"sv},
    std::pair{DataType::kInt8, "int8"sv},
    std::pair{DataType::kInt32, "int32"sv},
    std::pair{DataType::kUint8, "uint8"sv},
    std::pair{DataType::kInt16, "int16"sv},
    std::pair{DataType::kUint16, "uint16"sv},
    std::pair{DataType::kUint32, "uint32"sv},
    std::pair{DataType::kInt64, "int64"sv},
    std::pair{DataType::kUint64, "uint64"sv},
    std::pair{DataType::kDouble, "double"sv},
    std::pair{DataType::kBool, "bool"sv},
    std::pair{DataType::kString, "string"sv},
    std::pair{DataType::kComplex64, "complex64"sv},
    std::pair{DataType::kComplex128, "complex128"sv},
    std::pair{DataType::kBf16, "bf16"sv},
    std::pair{DataType::kInt4, "int4"sv},
    std::pair{DataType::kUint1, "uint1"sv},
    std::pair{DataType::kComplex32, "complex32"sv},
    std::pair{DataType::kHifloat8, "hifloat8"sv},
    std::pair{DataType::kFloat8E5m2, "float8_e5m2"sv},
    std::pair{DataType::kFloat8E4m3fn, "float8_e4m3fn"sv},
    std::pair{DataType::kFloat8E8m0, "float8_e8m0"sv},
    std::pair{DataType::kFloat6E3m2, "float6_e3m2"sv},
    std::pair{DataType::kFloat6E2m3, "float6_e2m3"sv},
    std::pair{DataType::kFloat4E2m1, "float4_e2m1"sv},
    std::pair{DataType::kFloat4E1m2, "float4_e1m2"sv},
};

constexpr std::array kFormats = {
    std::pair{-1, "undefined"sv},
    std::pair{0, "NCHW"sv},
    std::pair{1, "NHWC"sv},
    std::pair{2, "ND"sv},
    std::pair{3, "NC1HWC0"sv},
    std::pair{4, "FRACTAL_Z"sv},
    std::pair{12, "NC1HWC0_C04"sv},
    std::pair{16, "HWCN"sv},
    std::pair{27, "NDHWC"sv},
    std::pair{29, "FRACTAL_NZ"sv},
    std::pair{30, "NCDHW"sv},
    std::pair{32, "NDC1HWC0"sv},
    std::pair{33, "FRACTAL_Z_3D"sv},
    std::pair{35, "NC"sv},
    std::pair{47, "NCL"sv},
    std::pair{50, "FRACTAL_NZ_C0_16"sv},
    std::pair{51, "FRACTAL_NZ_C0_32"sv},
    std::pair{52, "FRACTAL_NZ_C0_2"sv},
    std::pair{53, "FRACTAL_NZ_C0_4"sv},
    std::pair{54, "FRACTAL_NZ_C0_8"sv},
};

}  // namespace

std::string Name(DataType type) {
  for (const auto& [known, name] : kDataTypes) {
    if (known == type) return std::string(name);
  }
  return fmt::format("dtype {}", static_cast<std::int32_t>(type));
}

std::string Names(std::span<const DataType> types) {
  std::string names;
  for (const DataType type : types) names += (names.empty() ? "" : ", ") + Name(type);
  return names;
}

std::string Name(Format format) {
  for (const auto& [known, name] : kFormats) {
    if (known == static_cast<std::int32_t>(format)) return std::string(name);
  }
  return fmt::format("format {}", static_cast<std::int32_t>(format));
}

bool IsKnown(DataType type) noexcept {
  return std::any_of(kDataTypes.begin(), kDataTypes.end(),
                     [type](const auto& known) { return known.first == type; });
}

bool IsKnown(Format format) noexcept {
  return std::any_of(kFormats.begin(), kFormats.end(), [format](const auto& known) {
    return known.first == static_cast<std::int32_t>(format);
  });
}

}  // namespace belay
