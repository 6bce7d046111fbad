// The operator against its reference, over random bit patterns and sizes.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <vector>

#include "ops/quant_param/quant_param.h"
#include "ops/quant_param/quant_param_reference.h"

namespace belay::ops {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Status Execute(const QuantParamCase& data, Behaviour behaviour, std::vector<std::uint64_t>& words) {
  std::uint64_t* out = nullptr;
  std::uint64_t size = 0;
  QuantParam::Params params{data.scale.data(), data.scale.size(), nullptr, 0, &out, &size};
  if (data.offset) {
    params.offset_array = data.offset->data();
    params.offset_size = data.offset->size();
  }
  Status status = QuantParam::Execute(params, {Face::kAclnn, FindChip("Ascend910B4"), behaviour});
  words.assign(out, out + size);
  std::free(out);
  return status;
}

std::vector<std::uint64_t> Words(const QuantParamCase& data, Behaviour behaviour) {
  std::vector<std::uint64_t> words;
  const Status status = Execute(data, behaviour, words);
  RC_ASSERT(status.ok());
  return words;
}

// Any bit pattern, with values near the offset's range as often as others.
rc::Gen<float> AnyFloat() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                   [](std::uint32_t bits) { return std::bit_cast<float>(bits); }),
      rc::gen::map(rc::gen::inRange(-2400, 2400),
                   [](int quarters) { return static_cast<float>(quarters) / 4.0F; }),
      rc::gen::element(0.49999997F, -0.49999997F, 254.5F, -256.5F, 1e-45F, kNan, kInf, -kInf));
}

rc::Gen<float> FiniteFloat() {
  return rc::gen::suchThat(AnyFloat(), [](float value) { return value - value == 0.0F; });
}

QuantParamCase DrawCase(const rc::Gen<float>& value) {
  const auto draw_array = [&] {
    const int count =
        *rc::gen::oneOf(rc::gen::inRange(1, 70), rc::gen::element(1, 15, 16, 17, 1025));
    return *rc::gen::container<std::vector<float>>(static_cast<std::size_t>(count), value);
  };
  QuantParamCase data{draw_array(), {}};
  if (*rc::gen::arbitrary<bool>()) data.offset = draw_array();
  return data;
}

RC_GTEST_PROP(QuantParamProperty, DocumentedMatchesReference, ()) {
  const QuantParamCase data = DrawCase(FiniteFloat());
  RC_ASSERT(Words(data, Behaviour::kDocumented) ==
            ReferenceQuantParam(data, Behaviour::kDocumented));
}

RC_GTEST_PROP(QuantParamProperty, ReleasedMatchesReference, ()) {
  const QuantParamCase data = DrawCase(AnyFloat());
  RC_ASSERT(Words(data, Behaviour::kReleased) == ReferenceQuantParam(data, Behaviour::kReleased));
}

RC_GTEST_PROP(QuantParamProperty, DocumentedRefusesExactlyNonFinite, ()) {
  const QuantParamCase data = DrawCase(AnyFloat());
  bool finite = true;
  for (const float value : data.scale) finite = finite && value - value == 0.0F;
  for (const float value : data.offset.value_or(std::vector<float>())) {
    finite = finite && value - value == 0.0F;
  }
  std::vector<std::uint64_t> words;
  const Fault fault = Execute(data, Behaviour::kDocumented, words).fault();
  RC_ASSERT(fault == (finite ? Fault::kNone : Fault::kInvalidParam));
}

}  // namespace
}  // namespace belay::ops
