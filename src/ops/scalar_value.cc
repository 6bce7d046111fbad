#include "ops/scalar_value.h"

#include <cmath>
#include <cstring>
#include <string>

#include "kernels/cast.h"
#include "kernels/float_environment.h"

namespace belay::ops {
namespace {

double DoubleAt(DataType type, const std::byte* bytes) noexcept {
  double value = 0.0;
  kernels::Cast(type, DataType::kDouble, bytes, reinterpret_cast<std::byte*>(&value), 1,
                FloatOverflow::kInfNan);
  return value;
}

double ImaginaryPart(const ScalarValue& scalar) noexcept {
  const std::byte* const bytes = scalar.bytes.data();
  switch (scalar.dtype) {
    case DataType::kComplex64:
      return DoubleAt(DataType::kFloat, bytes + sizeof(float));
    case DataType::kComplex128:
      return DoubleAt(DataType::kDouble, bytes + sizeof(double));
    default:
      return 0.0;
  }
}

bool IsFloating(DataType type) noexcept {
  return type == DataType::kFloat || type == DataType::kDouble || type == DataType::kFloat16 ||
         type == DataType::kBf16;
}

}  // namespace

Status CheckNumber(std::string_view name, const ScalarValue& scalar) {
  if (kernels::CanCast(scalar.dtype)) return {};
  return Refuse(Fault::kInvalidParam, "{} is a scalar of type {}; allowed {}", name,
                Name(scalar.dtype), Described([] { return Names(kernels::CastableTypes()); }));
}

Status CheckCastable(std::string_view name, const ScalarValue& scalar, DataType to) {
  const double imaginary = ImaginaryPart(scalar);
  if (std::fpclassify(imaginary) != FP_ZERO) {
    return Refuse(Fault::kInvalidParam,
                  "{} has the imaginary part {}; allowed numbers without one, as {} has none", name,
                  imaginary, Name(to));
  }
  if (IsFloating(to)) return {};
  // Integers beyond the range of exact doubles have no fraction as doubles, either.
  const double real = DoubleAt(scalar.dtype, scalar.bytes.data());
  if (!std::isfinite(real)) return {};
  double whole = 0.0;
  if (std::fpclassify(std::modf(real, &whole)) == FP_ZERO) return {};
  return Refuse(Fault::kInvalidParam, "{} is {}; allowed whole numbers, as {} has no fraction",
                name, real, Name(to));
}

CastValue CastTo(DataType to, const ScalarValue& scalar) noexcept {
  CastValue value{};
  kernels::Cast(scalar.dtype, to, scalar.bytes.data(), value.data(), 1, FloatOverflow::kInfNan);
  return value;
}

}  // namespace belay::ops
