#include "ops/index_add/index_add_reference.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace belay::ops {
namespace {

struct Layout {
  int mantissa_bits;
  int bias;
  std::uint16_t infinity;
  std::uint16_t quiet_nan;
};

Layout LayoutOf(DataType type) {
  return type == DataType::kFloat16 ? Layout{10, 15, 0x7C00, 0x7E00}
                                    : Layout{7, 127, 0x7F80, 0x7FC0};
}

Fault OutputFault(const IndexAddShapes& shapes) {
  if (shapes.output.empty()) return Fault::kNone;
  if (shapes.output.size() != shapes.var.size()) return Fault::kTensorDimNum;
  return shapes.output == shapes.var ? Fault::kNone : Fault::kTensorDim;
}

}  // namespace

Fault ReferenceIndexAddFault(const IndexAddShapes& shapes, DataType /*type*/) {
  const auto r = static_cast<std::int64_t>(shapes.var.size());
  if (shapes.axis < -r || shapes.axis > r - 1) return Fault::kInvalidParam;
  if (shapes.indices.size() != 1) return Fault::kTensorSize;
  if (shapes.updates.size() != shapes.var.size()) return Fault::kTensorSize;
  const std::int64_t axis = shapes.axis < 0 ? shapes.axis + r : shapes.axis;
  for (std::size_t i = 0; i < shapes.var.size(); ++i) {
    const bool at_axis = static_cast<std::int64_t>(i) == axis;
    if (at_axis && shapes.updates[i] != shapes.indices[0]) return Fault::kTensorDim;
    if (!at_axis && shapes.updates[i] != shapes.var[i]) return Fault::kTensorDim;
  }
  if (shapes.scalar.size() != 1) return Fault::kTensorSize;
  if (shapes.scalar[0] != 1) return Fault::kTensorDim;
  return OutputFault(shapes);
}

Fault ReferenceIndexAddValidFault(const IndexAddShapes& shapes, DataType type) {
  const Fault e = type == DataType::kBf16 ? Fault::kTensorDim : Fault::kTensorSize;
  if (shapes.var.size() != 2) return e;
  if (shapes.var[1] > 8192) return Fault::kTensorDim;
  if (shapes.indices.size() != 1) return e;
  if (shapes.updates.size() != 2) return e;
  if (shapes.updates[0] != shapes.indices[0]) return Fault::kTensorDim;
  if (shapes.updates[1] != shapes.var[1]) return Fault::kTensorDim;
  if (shapes.scalar.size() != 1) return e;
  if (shapes.scalar[0] != 1) return Fault::kTensorDim;
  return OutputFault(shapes);
}

double ReferenceHalfValue(DataType type, std::uint16_t bits) {
  const Layout layout = LayoutOf(type);
  const int magnitude = bits & 0x7FFF;
  const int exponent = magnitude >> layout.mantissa_bits;
  const int mantissa = magnitude - (exponent << layout.mantissa_bits);
  double value = 0;
  if (magnitude > layout.infinity) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == layout.infinity) {
    value = std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - layout.bias - layout.mantissa_bits);
  } else {
    value = std::ldexp(mantissa + (1 << layout.mantissa_bits),
                       exponent - layout.bias - layout.mantissa_bits);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

std::uint16_t ReferenceHalfBits(DataType type, double value) {
  const Layout layout = LayoutOf(type);
  if (std::isnan(value)) return layout.quiet_nan;
  const int sign = std::signbit(value) ? 0x8000 : 0;
  int bits = layout.infinity;
  if (!std::isinf(value)) {
    // The unit in the last place of the binade, or of the subnormals.
    const int smallest = 1 - layout.bias;
    int exponent = value == 0 ? smallest : std::ilogb(value);
    if (exponent < smallest) exponent = smallest;
    const double units =
        std::nearbyint(std::ldexp(std::fabs(value), layout.mantissa_bits - exponent));
    // A full binade of units carries into the next exponent.
    const double pattern = std::ldexp(exponent - smallest, layout.mantissa_bits) + units;
    bits = pattern >= layout.infinity ? layout.infinity : static_cast<int>(pattern);
  }
  return static_cast<std::uint16_t>(sign | bits);
}

void ReferenceIndexAdd(const IndexAddData& data, std::vector<std::uint16_t>& target) {
  std::size_t outer = 1;
  std::size_t inner = 1;
  for (std::size_t i = 0; i < data.axis; ++i) outer *= static_cast<std::size_t>(data.var_dims[i]);
  for (std::size_t i = data.axis + 1; i < data.var_dims.size(); ++i) {
    inner *= static_cast<std::size_t>(data.var_dims[i]);
  }
  const auto rows = static_cast<std::size_t>(data.var_dims[data.axis]);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t c = 0; c < inner; ++c) {
        std::uint16_t& bits = target[(o * rows + row) * inner + c];
        // Volatile: each product and each sum becomes a float32.
        volatile float sum = static_cast<float>(ReferenceHalfValue(data.type, bits));
        bool touched = false;
        for (std::size_t k = 0; k < data.valid; ++k) {
          if (static_cast<std::size_t>(data.indices[k]) != row) continue;
          const std::size_t from = (o * data.indices.size() + k) * inner + c;
          const auto update = static_cast<float>(ReferenceHalfValue(data.type, data.updates[from]));
          volatile float product = data.factor * update;
          sum = sum + product;
          touched = true;
        }
        if (touched) bits = ReferenceHalfBits(data.type, static_cast<double>(sum));
      }
    }
  }
}

}  // namespace belay::ops
