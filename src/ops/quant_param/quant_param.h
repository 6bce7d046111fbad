// TransQuantParam: float32 scales and offsets become the 64-bit words that the hardware's
// requantisation reads. A host-only, synchronous operator: it needs no device and no stream.
//
// All rules of the operator live here. Where the released library differs from the document, see
// the points kQuantParam... of base/behaviour.h.
// Source: aclnnTransQuantParam.
#pragma once

#include <cstdint>
#include <optional>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "ops/operator.h"

namespace belay::ops {

struct QuantParam {
  /// The arguments as the caller passed them.
  ///   scale_array   [scale_size]    read     offset_array  [offset_size]  read, may be null
  ///   quant_param   receives a block of the C heap that the caller frees with free()
  ///   quant_param_size  receives the number of words in it
  struct Params {
    const float* scale_array = nullptr;
    std::uint64_t scale_size = 0;
    const float* offset_array = nullptr;
    std::uint64_t offset_size = 0;
    std::uint64_t** quant_param = nullptr;
    std::uint64_t* quant_param_size = nullptr;
  };

  /// Index of each argument in Launch::addresses.
  enum Address : std::uint8_t { kScaleArray, kOffsetArray, kQuantParam };

  BELAY_EXPORT static const OpInfo& Info();

  /// All rules in their published order. kNullPointer, kInvalidParam, and kOutOfMemory for a length
  /// that no memory holds; elements are read only after that.
  BELAY_EXPORT static Status CheckParams(const Params& params, const Profile& who);

  /// Words of the result: the larger size, rounded up to a multiple of 16 unless it is 1. Nothing
  /// when they could not be addressed.
  BELAY_EXPORT static std::optional<std::uint64_t> OutputLength(std::uint64_t scale_size,
                                                                std::uint64_t offset_size) noexcept;

  /// What to run for parameters that passed CheckParams.
  BELAY_EXPORT static StatusOr<Plan> MakePlan(const Params& params, const Profile& who);

  /// Checks, allocates, packs and stores both results. On any error both keep their values.
  BELAY_EXPORT static Status Execute(const Params& params, const Profile& who);
};

}  // namespace belay::ops
