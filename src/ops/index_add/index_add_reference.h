// The document's formula and the published checks in plain loops, to hold the operator against.
// Linked by tests alone; shares no code with the operator, its kernel or its conversions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/data_type.h"
#include "base/status.h"

namespace belay::ops {

struct IndexAddShapes {
  std::vector<std::int64_t> var;
  std::vector<std::int64_t> indices;
  std::vector<std::int64_t> updates;
  std::vector<std::int64_t> scalar;  // alpha or validIndicesNum
  std::vector<std::int64_t> output;
  std::int64_t axis = 0;
};

/// The first published check that fails, for ranks in 1..8 and dimensions above 0. `type` is that
/// of var; an empty output is not looked at (InferShape).
Fault ReferenceIndexAddFault(const IndexAddShapes& shapes, DataType type);
Fault ReferenceIndexAddValidFault(const IndexAddShapes& shapes, DataType type);

/// The value of 16 bits, and the bits of a value: nearest, ties to even, infinity beyond the range,
/// one quiet NaN. Written with the library's scaling functions.
double ReferenceHalfValue(DataType type, std::uint16_t bits);
std::uint16_t ReferenceHalfBits(DataType type, double value);

struct IndexAddData {
  DataType type = DataType::kFloat16;
  std::vector<std::int64_t> var_dims;
  std::size_t axis = 0;
  std::vector<std::int32_t> indices;   // those that take part come first
  std::vector<std::uint16_t> updates;  // with indices.size() in dimension axis
  float factor = 1.0F;
  std::size_t valid = 0;  // how many take part
};

/// target[.., indices[k], ..] += factor * updates[.., k, ..]
void ReferenceIndexAdd(const IndexAddData& data, std::vector<std::uint16_t>& target);

}  // namespace belay::ops
