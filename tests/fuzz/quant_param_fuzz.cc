// aclnnTransQuantParam: any arguments, against the document's formula and its order of checks.
#include <aclnnop/aclnn_trans_quant_param.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "ops/quant_param/quant_param_reference.h"

namespace belay::fuzz {
namespace {

constexpr int kNull = 161001;
constexpr int kInvalid = 161002;
constexpr int kTooLong = 561103;
constexpr std::uint64_t kMaxLength = std::uint64_t{1} << 45;

struct Arguments {
  const float* scale;
  std::uint64_t scale_size;
  const float* offset;
  std::uint64_t offset_size;
  std::uint64_t** words;
  std::uint64_t* count;
};

bool Released() {
  const char* const value = std::getenv("BELAY_BEHAVIOR");
  return value != nullptr && std::string_view(value) == "released";
}

int OffsetSizes(const Arguments& a) {
  return (a.offset != nullptr) != (a.offset_size != 0) ? kInvalid : 0;
}

bool Finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

// The documented and the released order.
int ExpectedCode(const Arguments& a, const std::vector<float>& scale,
                 const std::vector<float>& offset) {
  const bool too_long = std::max(a.scale_size, a.offset_size) > kMaxLength;
  if (Released()) {
    if (OffsetSizes(a) != 0 || a.scale == nullptr || a.scale_size < 1) return kInvalid;
    if (a.words == nullptr || a.count == nullptr) return kNull;
    return too_long ? kTooLong : 0;
  }
  if (a.words == nullptr || a.scale == nullptr || a.count == nullptr) return kNull;
  if (a.scale_size < 1 || OffsetSizes(a) != 0) return kInvalid;
  if (too_long) return kTooLong;
  return Finite(scale) && Finite(offset) ? 0 : kInvalid;
}

std::vector<float> TakeFloats(Input& input, std::size_t count) {
  constexpr float kInteresting[] = {0.0F,    -0.0F,  2.5F,    -2.5F,  254.5F, 255.5F,
                                    -256.5F, 1e-42F, 3.4e38F, -1e20F, 1.1F,   0.49999997F};
  std::vector<float> values(count);
  for (float& value : values) {
    const std::size_t choice = input.Below(16);
    value = choice < std::size(kInteresting) ? kInteresting[choice] : input.Take<float>();
  }
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const auto flags = input.Take<std::uint8_t>();
  // Arrays of exactly their size on the heap, so that a sanitizer sees a read past the end.
  const std::vector<float> scale = TakeFloats(input, input.Below(70));
  const std::vector<float> offset = TakeFloats(input, (flags & 1) != 0 ? input.Below(70) : 0);
  std::uint64_t untouched = 0;
  std::uint64_t* words = &untouched;
  std::uint64_t count = 99;
  Arguments a{scale.data(), scale.size(), offset.data(), offset.size(), &words, &count};
  // A vector of nothing has no address to read from.
  static const float kSomething = 0;
  if (a.scale == nullptr) a.scale = &kSomething;
  if ((flags & 1) != 0 && a.offset == nullptr) a.offset = &kSomething;
  if ((flags & 0x06) == 0x06) a.scale = nullptr;
  if ((flags & 0x08) != 0 && (flags & 1) == 0) a.offset_size = input.Take<std::uint64_t>();
  if ((flags & 0x30) == 0x30) a.words = nullptr;
  if ((flags & 0xC0) == 0xC0) a.count = nullptr;
  if ((flags & 0x11) == 0x10) a.scale_size = kMaxLength + 1 + input.Take<std::uint32_t>();
  // Elements are read for sizes that memory can hold, so those have to be there.
  if (a.scale == nullptr && a.scale_size > scale.size()) a.scale_size = scale.size();
  if (a.offset == nullptr && a.offset_size != 0 && a.offset_size <= kMaxLength) {
    a.offset_size = 5;
  }

  const int code =
      aclnnTransQuantParam(a.scale, a.scale_size, a.offset, a.offset_size, a.words, a.count);
  FUZZ_CHECK(code == ExpectedCode(a, scale, offset));
  if (code != 0) {
    FUZZ_CHECK(words == &untouched && count == 99);
    return 0;
  }
  const std::unique_ptr<std::uint64_t, void (*)(void*)> block(words, std::free);
  ops::QuantParamCase reference{scale, std::nullopt};
  if (a.offset != nullptr) reference.offset = offset;
  const std::vector<std::uint64_t> expected = ops::ReferenceQuantParam(
      reference, Released() ? Behaviour::kReleased : Behaviour::kDocumented);
  FUZZ_CHECK(count == expected.size());
  FUZZ_CHECK(std::equal(expected.begin(), expected.end(), words));
  return 0;
}

}  // namespace belay::fuzz
