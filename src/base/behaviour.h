// Where the documents and the released libraries disagree, and which of the two Belay follows.
//
// The points are named in one table (behaviour.cc); code asks for a point, never for the switch.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/export.h"

namespace belay {

/// BELAY_BEHAVIOR.
enum class Behaviour : std::uint8_t {
  kDocumented,  // refuses what either the document or the release refuses; results as documented
  kReleased,    // at the named points, what the released library does, bit for bit
};

/// A place where the two behaviours differ.
enum class BehaviourPoint : std::uint8_t {
  kQuantParamScaleKeepsAllBits,
  kQuantParamReleasedCheckOrder,
  kQuantParamAcceptsNonFinite,
  kQuantParamTensorAcceptsNonFinite,
  kQuantParamTensorAcceptsGaps,
  kRepeatAnyNumberOfRepeatedDims,
  kRepeatCountsFromTheLeft,
  kRepeatViewsBf16Everywhere,
  kIndexAddOtherOutput,
  kStridedSliceAssignOn950,
  kIndexAddV2FastModeFault,
};

struct BehaviourPointInfo {
  BehaviourPoint point;
  std::string_view subject;     // the call it concerns
  std::string_view documented;  // what BELAY_BEHAVIOR=documented does
  std::string_view released;    // what BELAY_BEHAVIOR=released does
};

/// The table of all points.
BELAY_EXPORT std::span<const BehaviourPointInfo> BehaviourPoints() noexcept;

/// Whether the released library's way applies at this point.
[[nodiscard]] constexpr bool FollowsRelease(Behaviour behaviour,
                                            BehaviourPoint /*point*/) noexcept {
  return behaviour == Behaviour::kReleased;
}

BELAY_EXPORT std::string_view Name(Behaviour behaviour) noexcept;

}  // namespace belay
