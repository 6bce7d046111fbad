#include "ops/quant_param/quant_param.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "base/parallel.h"
#include "belay/quant_param.h"
#include "kernels/pack_quant.h"
#include "ops/quant_param/finite_values.h"
#include "ops/quant_param/result_block.h"

namespace belay::ops {
namespace {

constexpr std::uint64_t kLengthStep = 16;

// More than any process can address. A length above it is a slip of the caller's, and is refused
// while it still can be: reading that many elements would crash.
constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{1} << 48;
constexpr std::uint64_t kMaxLength = kMaxOutputBytes / sizeof(std::uint64_t);

constexpr std::uint32_t kDocumentedScaleMask = ~kQuantScaleUnread;
constexpr std::uint32_t kReleasedScaleMask = 0xFFFFFFFF;

// A piece of so many elements takes 50 us, several times what it takes to wake a thread.
constexpr std::size_t kParallelGrain = std::size_t{1} << 17;

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

// QuantParam::OutputLength, 0 for nothing: GCC 12 puts an optional together in memory, and waiting
// for that took a third of a small call.
std::uint64_t LengthOf(std::uint64_t scale_size, std::uint64_t offset_size) {
  static_assert(kMaxLength % kLengthStep == 0);
  const std::uint64_t count = std::max(scale_size, offset_size);
  if (count > kMaxLength) return 0;
  return count == 1 ? count : (count + kLengthStep - 1) / kLengthStep * kLengthStep;
}

struct Work {
  std::uint64_t scale_size;
  std::uint64_t offset_size;
  std::uint64_t length;
  std::uint32_t scale_mask;
};

// Packs the elements [begin, end) of whichever arrays are that long; whether all are finite.
bool PackRange(const Work& work, const float* scale, const float* offset, std::uint64_t* out,
               kernels::Writing writing, std::size_t begin, std::size_t end) {
  const auto pack = [&](const float* scales, const float* offsets, std::size_t first,
                        std::size_t last) {
    return kernels::PackQuant(scales == nullptr ? nullptr : scales + first,
                              offsets == nullptr ? nullptr : offsets + first, last - first,
                              work.scale_mask, out + first, writing);
  };
  const std::size_t both =
      std::clamp<std::size_t>(std::min(work.scale_size, work.offset_size), begin, end);
  const bool more_scales = work.scale_size > work.offset_size;
  const bool finite = both == begin || pack(scale, offset, begin, both);
  return (both == end ||
          pack(more_scales ? scale : nullptr, more_scales ? nullptr : offset, both, end)) &&
         finite;
}

// Writes all words and says whether all values are finite.
bool Pack(const Work& work, const float* scale, const float* offset, std::uint64_t* out,
          kernels::Writing writing) {
  const std::size_t count = std::max(work.scale_size, work.offset_size);
  std::fill(out + count, out + work.length, 0);
  if (count < 2 * kParallelGrain) return PackRange(work, scale, offset, out, writing, 0, count);
  std::atomic<bool> finite = true;
  ParallelFor(count, kParallelGrain, [&](std::size_t begin, std::size_t end) {
    if (!PackRange(work, scale, offset, out, writing, begin, end)) {
      finite.store(false, std::memory_order_relaxed);
    }
  });
  return finite.load(std::memory_order_relaxed);
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  // The caller's memory is there already, unlike a block that has just been allocated.
  const bool large = work.length * sizeof(std::uint64_t) >= kernels::kStreamCopyBytes;
  (void)Pack(work, static_cast<const float*>(addresses[QuantParam::kScaleArray]),
             static_cast<const float*>(addresses[QuantParam::kOffsetArray]),
             static_cast<std::uint64_t*>(addresses[QuantParam::kQuantParam]),
             large ? kernels::Writing::kStreaming : kernels::Writing::kCached);
  return {};
}

Work MakeWork(const QuantParam::Params& params, std::uint64_t length, const Profile& who) {
  const bool keeps_all_bits =
      FollowsRelease(who.behaviour, BehaviourPoint::kQuantParamScaleKeepsAllBits);
  return {params.scale_size, params.offset_size, length,
          keeps_all_bits ? kReleasedScaleMask : kDocumentedScaleMask};
}

Status CheckFinite(const char* argument, const float* values, std::uint64_t count) {
  const std::optional<NonFinite> seen = FindNonFinite(values, count);
  if (!seen) return {};
  return Refuse(Fault::kInvalidParam, "{}[{}] is {}; allowed finite values", argument, seen->index,
                seen->name);
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
  if (LengthOf(params.scale_size, params.offset_size) != 0) return {};
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

bool AcceptsNonFinite(const Profile& who) {
  return FollowsRelease(who.behaviour, BehaviourPoint::kQuantParamAcceptsNonFinite);
}

// All rules but those about elements, none of which is read.
Status CheckArguments(const QuantParam::Params& params, const Profile& who) {
  BELAY_RETURN_IF_ERROR(FollowsRelease(who.behaviour, BehaviourPoint::kQuantParamReleasedCheckOrder)
                            ? CheckInReleasedOrder(params)
                            : CheckInDocumentedOrder(params, who));
  return CheckLength(params);
}

}  // namespace

const OpInfo& QuantParam::Info() {
  static constexpr OpInfo kInfo{"TransQuantParam", kDocument, kSupport, kRules};
  return kInfo;
}

Status QuantParam::CheckParams(const Params& params, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckArguments(params, who));
  return AcceptsNonFinite(who) ? Status() : CheckArrays(params);
}

std::optional<std::uint64_t> QuantParam::OutputLength(std::uint64_t scale_size,
                                                      std::uint64_t offset_size) noexcept {
  const std::uint64_t length = LengthOf(scale_size, offset_size);
  return length != 0 ? std::optional(length) : std::nullopt;
}

StatusOr<Plan> QuantParam::MakePlan(const Params& params, const Profile& who) {
  const auto length = OutputLength(params.scale_size, params.offset_size);
  if (!length) return Unexpected(CheckLength(params));
  Plan plan;
  plan.operation = "aclnnTransQuantParam";
  plan.kernel = "PackQuant";
  plan.run = Run;
  plan.AddAccess(
      {"scaleArray", kScaleArray, AccessMode::kRead, 0, params.scale_size * sizeof(float)});
  if (params.offset_size != 0) {
    plan.AddAccess(
        {"offsetArray", kOffsetArray, AccessMode::kRead, 0, params.offset_size * sizeof(float)});
  }
  plan.AddAccess(
      {"quantParam", kQuantParam, AccessMode::kWrite, 0, *length * sizeof(std::uint64_t)});
  plan.EmplaceParameters<Work>(MakeWork(params, *length, who));
  return plan;
}

// A small call takes about 40 ns, so no Plan is made here: filling it in takes as long again.
Status QuantParam::Execute(const Params& params, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckArguments(params, who));
  // CheckArguments made sure that the length can be had.
  const std::uint64_t length = LengthOf(params.scale_size, params.offset_size);
  const std::uint64_t size_bytes = length * sizeof(std::uint64_t);
  ResultBlock block = AllocateResult(size_bytes);
  if (block.words == nullptr) {
    if (!AcceptsNonFinite(who)) BELAY_RETURN_IF_ERROR(CheckArrays(params));
    return Refuse(Fault::kOutOfMemory,
                  "quantParam needs {} bytes, which the C heap refused; allowed sizes that fit "
                  "into free memory",
                  size_bytes);
  }
  // The elements are checked while they are packed, into a block that nobody else sees yet.
  const bool finite = Pack(MakeWork(params, length, who), params.scale_array, params.offset_array,
                           block.words.get(), block.writing);
  if (!finite && !AcceptsNonFinite(who)) BELAY_RETURN_IF_ERROR(CheckArrays(params));

  *params.quant_param = block.words.release();
  *params.quant_param_size = length;
  return {};
}

static_assert(Operator<QuantParam>);

}  // namespace belay::ops
