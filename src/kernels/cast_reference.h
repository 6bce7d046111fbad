// What a cast means, from bits to bits, by search among exact numbers; to hold the kernels against.
// Linked by tests alone; shares no code with them.
#pragma once

#include <cstddef>

#include "base/data_type.h"

namespace belay::kernels {

/// Every type that can be cast.
inline constexpr DataType kCastTypes[] = {
    DataType::kInt8,    DataType::kInt16,     DataType::kInt32,     DataType::kInt64,
    DataType::kUint8,   DataType::kUint16,    DataType::kUint32,    DataType::kUint64,
    DataType::kFloat16, DataType::kBf16,      DataType::kFloat,     DataType::kDouble,
    DataType::kBool,    DataType::kComplex64, DataType::kComplex128};

/// One element. With `saturate`, 16-bit floats have no infinities.
void ReferenceCast(DataType from, DataType to, const std::byte* src, std::byte* dst,
                   bool saturate = false);

}  // namespace belay::kernels
