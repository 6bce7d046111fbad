#include "ops/quant_param/quant_param.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "base/parallel.h"
#include "kernels/pack_quant.h"

namespace belay::ops {
namespace {

constexpr std::uint64_t kLengthStep = 16;

// More than any process can address. A length above it is a slip of the caller's, and is refused
// while it still can be: reading that many elements would crash.
constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{1} << 48;
constexpr std::uint64_t kMaxLength = kMaxOutputBytes / sizeof(std::uint64_t);

// The hardware reads the upper 19 bits of a scale.
constexpr std::uint32_t kDocumentedScaleMask = 0xFFFFE000;
constexpr std::uint32_t kReleasedScaleMask = 0xFFFFFFFF;

// From this size on other threads pay for being woken.
constexpr std::size_t kParallelGrain = std::size_t{1} << 18;
// Both passes over a block find it in the first-level cache.
constexpr std::size_t kBlock = 1024;

constexpr std::string_view kDocument = "aclnnTransQuantParam";
constexpr std::string_view kReturnValues = "aclnnTransQuantParam, return values";
constexpr std::string_view kParameters = "aclnnTransQuantParam, parameters";

constexpr std::array kSupport = {
    Support{Face::kAclnn,
            "aclnnTransQuantParam",
            {Family::kAscend910B, Family::kAscend910_93, Family::kAscend950, Family::kAscend350}},
};

constexpr std::array kRules = {
    Rule{"BELAY-TransQuantParam-quantParam-0001", "quantParam is not null.", kReturnValues},
    Rule{"BELAY-TransQuantParam-scaleArray-0002", "scaleArray is not null.", kReturnValues},
    Rule{"BELAY-TransQuantParam-quantParamSize-0003", "quantParamSize is not null.", kReturnValues},
    Rule{"BELAY-TransQuantParam-scaleSize-0004", "scaleSize is 1 or above.", kReturnValues},
    Rule{"BELAY-TransQuantParam-offsetSize-0005", "With an offsetArray, offsetSize is 1 or above.",
         kReturnValues},
    Rule{"BELAY-TransQuantParam-offsetSize-0006", "Without an offsetArray, offsetSize is 0.",
         kReturnValues},
    Rule{"BELAY-TransQuantParam-product-0007", "The product is one that serves the operator.",
         "aclnnTransQuantParam, product support"},
    Rule{"BELAY-TransQuantParam-quantParam-0008", "Memory can hold the result.", kReturnValues},
    Rule{"BELAY-TransQuantParam-scaleArray-0009", "scaleArray holds neither NaN nor infinity.",
         kParameters},
    Rule{"BELAY-TransQuantParam-offsetArray-0010", "offsetArray holds neither NaN nor infinity.",
         kParameters},
};

struct Work {
  std::uint64_t scale_size;
  std::uint64_t offset_size;
  std::uint32_t scale_mask;
};

// How many of [begin, end) lie below `size`.
std::size_t CountBelow(std::size_t size, std::size_t begin, std::size_t end) {
  return std::min(size, end) - std::min(size, begin);
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const Work work = plan.LoadParameters<Work>();
  const auto* const scale = static_cast<const float*>(addresses[QuantParam::kScaleArray]);
  const auto* const offset = static_cast<const float*>(addresses[QuantParam::kOffsetArray]);
  auto* const out = static_cast<std::uint64_t*>(addresses[QuantParam::kQuantParam]);
  ParallelFor(std::max(work.scale_size, work.offset_size), kParallelGrain,
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t at = begin; at < end; at += kBlock) {
                  const std::size_t stop = at + std::min(kBlock, end - at);
                  if (const std::size_t n = CountBelow(work.scale_size, at, stop); n != 0) {
                    kernels::PackScales(scale + at, n, work.scale_mask, out + at);
                  }
                  if (const std::size_t n = CountBelow(work.offset_size, at, stop); n != 0) {
                    kernels::MergeOffsets(offset + at, n, out + at);
                  }
                }
              });
  return {};
}

bool FiniteThroughout(const float* values, std::size_t count) {
  std::atomic<bool> finite = true;
  ParallelFor(count, kParallelGrain, [&](std::size_t begin, std::size_t end) {
    if (!kernels::AllFinite(values + begin, end - begin)) {
      finite.store(false, std::memory_order_relaxed);
    }
  });
  return finite.load(std::memory_order_relaxed);
}

// Looks at bits: the caller may have been compiled for finite arithmetic, and NaN has no sign worth
// a message.
std::string_view NameOfNonFinite(float value) {
  constexpr std::uint32_t kInfinity = 0x7F800000;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude < kInfinity) return {};
  if (magnitude > kInfinity) return "nan";
  return bits == kInfinity ? "inf" : "-inf";
}

Status CheckFinite(const char* argument, const float* values, std::uint64_t count) {
  if (FiniteThroughout(values, count)) return {};
  for (std::uint64_t i = 0; i < count; ++i) {
    if (const std::string_view seen = NameOfNonFinite(values[i]); !seen.empty()) {
      return Refuse(Fault::kInvalidParam, "{}[{}] is {}; allowed finite values", argument, i, seen);
    }
  }
  return {};
}

Status CheckScaleSize(const QuantParam::Params& params) {
  if (params.scale_size >= 1) return {};
  return NotAllowed(Fault::kInvalidParam, "scaleSize", params.scale_size, "1 and above");
}

Status CheckOffsetSize(const QuantParam::Params& params) {
  if (params.offset_array != nullptr && params.offset_size < 1) {
    return NotAllowed(Fault::kInvalidParam, "offsetSize", params.offset_size,
                      "1 and above where offsetArray is given");
  }
  if (params.offset_array == nullptr && params.offset_size != 0) {
    return NotAllowed(Fault::kInvalidParam, "offsetSize", params.offset_size,
                      "0 where offsetArray is null");
  }
  return {};
}

Status CheckProduct(const Profile& who) {
  const Support* const row = SupportOf(QuantParam::Info(), who.face);
  const FamilySet served = row != nullptr ? row->products : FamilySet();
  if (served.Has(who.chip->family)) return {};
  return Refuse(Fault::kInvalidParam, "product is {}, one of {}; allowed {}", who.chip->soc_name,
                ProductName(who.chip->family), served.Describe());
}

Status CheckLength(const QuantParam::Params& params) {
  if (QuantParam::OutputLength(params.scale_size, params.offset_size)) return {};
  const bool by_scale = params.scale_size >= params.offset_size;
  return Refuse(Fault::kOutOfMemory, "{} is {}, more than memory can hold; allowed at most {}",
                by_scale ? "scaleSize" : "offsetSize",
                by_scale ? params.scale_size : params.offset_size, kMaxLength);
}

Status CheckArrays(const QuantParam::Params& params) {
  BELAY_RETURN_IF_ERROR(CheckFinite("scaleArray", params.scale_array, params.scale_size));
  return CheckFinite("offsetArray", params.offset_array, params.offset_size);
}

Status CheckInDocumentedOrder(const QuantParam::Params& params, const Profile& who) {
  if (params.quant_param == nullptr) return NullPointer("quantParam");
  if (params.scale_array == nullptr) return NullPointer("scaleArray");
  if (params.quant_param_size == nullptr) return NullPointer("quantParamSize");
  BELAY_RETURN_IF_ERROR(CheckScaleSize(params));
  BELAY_RETURN_IF_ERROR(CheckOffsetSize(params));
  return CheckProduct(who);
}

Status CheckInReleasedOrder(const QuantParam::Params& params) {
  BELAY_RETURN_IF_ERROR(CheckOffsetSize(params));
  if (params.scale_array == nullptr) {
    // The released library reports this null pointer as a bad parameter.
    return {Fault::kInvalidParam, NullPointer("scaleArray").message()};
  }
  BELAY_RETURN_IF_ERROR(CheckScaleSize(params));
  if (params.quant_param == nullptr) return NullPointer("quantParam");
  if (params.quant_param_size == nullptr) return NullPointer("quantParamSize");
  return {};
}

struct FreeBlock {
  void operator()(std::uint64_t* block) const noexcept { std::free(block); }
};

}  // namespace

const OpInfo& QuantParam::Info() {
  static constexpr OpInfo kInfo{"TransQuantParam", kDocument, kSupport, kRules};
  return kInfo;
}

Status QuantParam::CheckParams(const Params& params, const Profile& who) {
  const auto follows_release = [&](BehaviourPoint point) {
    return FollowsRelease(who.behaviour, point);
  };
  BELAY_RETURN_IF_ERROR(follows_release(BehaviourPoint::kQuantParamReleasedCheckOrder)
                            ? CheckInReleasedOrder(params)
                            : CheckInDocumentedOrder(params, who));
  BELAY_RETURN_IF_ERROR(CheckLength(params));
  if (follows_release(BehaviourPoint::kQuantParamAcceptsNonFinite)) return {};
  return CheckArrays(params);
}

std::optional<std::uint64_t> QuantParam::OutputLength(std::uint64_t scale_size,
                                                      std::uint64_t offset_size) noexcept {
  const std::uint64_t count = std::max(scale_size, offset_size);
  if (count == 1) return count;
  const auto length = CheckedRoundUp(count, kLengthStep);
  return length && *length <= kMaxLength ? length : std::nullopt;
}

StatusOr<Plan> QuantParam::MakePlan(const Params& params, const Profile& who) {
  const auto length = OutputLength(params.scale_size, params.offset_size);
  if (!length) return Unexpected(CheckLength(params));
  const bool keeps_all_bits =
      FollowsRelease(who.behaviour, BehaviourPoint::kQuantParamScaleKeepsAllBits);

  Plan plan;
  plan.operation = "aclnnTransQuantParam";
  plan.kernel = params.offset_size != 0 ? "PackScales, MergeOffsets" : "PackScales";
  plan.run = Run;
  plan.AddAccess(
      {"scaleArray", kScaleArray, AccessMode::kRead, 0, params.scale_size * sizeof(float)});
  if (params.offset_size != 0) {
    plan.AddAccess(
        {"offsetArray", kOffsetArray, AccessMode::kRead, 0, params.offset_size * sizeof(float)});
  }
  plan.AddAccess(
      {"quantParam", kQuantParam, AccessMode::kWrite, 0, *length * sizeof(std::uint64_t)});
  plan.StoreParameters(Work{params.scale_size, params.offset_size,
                            keeps_all_bits ? kReleasedScaleMask : kDocumentedScaleMask});
  return plan;
}

Status QuantParam::Execute(const Params& params, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckParams(params, who));
  const StatusOr<Plan> plan = MakePlan(params, who);
  if (!plan) return plan.error();

  // CheckParams made sure that the length can be had.
  const std::uint64_t length = *OutputLength(params.scale_size, params.offset_size);
  const std::uint64_t size_bytes = length * sizeof(std::uint64_t);
  std::unique_ptr<std::uint64_t, FreeBlock> block(
      static_cast<std::uint64_t*>(std::calloc(length, sizeof(std::uint64_t))));
  if (block == nullptr) {
    return Refuse(Fault::kOutOfMemory,
                  "quantParam needs {} bytes, which the C heap refused; allowed sizes that fit "
                  "into free memory",
                  size_bytes);
  }

  Launch launch{*plan, {}};
  launch.addresses[kScaleArray] = const_cast<float*>(params.scale_array);
  launch.addresses[kOffsetArray] = const_cast<float*>(params.offset_array);
  launch.addresses[kQuantParam] = block.get();
  BELAY_RETURN_IF_ERROR(launch.Run());

  *params.quant_param = block.release();
  *params.quant_param_size = length;
  return {};
}

static_assert(Operator<QuantParam>);

}  // namespace belay::ops
