#include "base/behaviour.h"

#include <array>

namespace belay {
namespace {

constexpr std::array kPoints = {
    BehaviourPointInfo{BehaviourPoint::kQuantParamScaleKeepsAllBits, "aclnnTransQuantParam",
                       "the scale is cut to its upper 19 bits",
                       "all 32 bits of the scale are kept"},
    BehaviourPointInfo{
        BehaviourPoint::kQuantParamReleasedCheckOrder, "aclnnTransQuantParam",
        "null pointers first (161001), then sizes, then the product (161002)",
        "offset sizes, scaleArray null and scaleSize first (161002), then quantParam and "
        "quantParamSize null (161001); every product is served"},
    BehaviourPointInfo{BehaviourPoint::kQuantParamAcceptsNonFinite, "aclnnTransQuantParam",
                       "NaN or infinity in scaleArray or offsetArray is refused (161002)",
                       "scales keep their bits, a NaN offset counts as 0, infinities clamp"},
    BehaviourPointInfo{BehaviourPoint::kQuantParamTensorAcceptsNonFinite,
                       "aclnnTransQuantParamV2, V3",
                       "NaN or infinity in scale or offset is a fault of the task (507035)",
                       "scales keep their bits, a NaN offset counts as 0, infinities clamp"},
    BehaviourPointInfo{BehaviourPoint::kQuantParamTensorAcceptsGaps, "aclnnTransQuantParamV2, V3",
                       "scale and offset that are not contiguous are refused (161002)",
                       "scale and offset may be views with any strides"},
    BehaviourPointInfo{BehaviourPoint::kRepeatAnyNumberOfRepeatedDims, "RepeatOperation",
                       "more than two entries of multiples above 1 are refused at creation",
                       "any number of entries of multiples may be above 1"},
    BehaviourPointInfo{BehaviourPoint::kRepeatCountsFromTheLeft, "RepeatOperation",
                       "repeated dimensions are counted with multiples aligned to the right of x",
                       "repeated dimensions are counted with multiples aligned to the left of x"},
    BehaviourPointInfo{BehaviourPoint::kRepeatViewsBf16Everywhere, "aclnnRepeat",
                       "bf16 is refused on Ascend310P and Ascend910 (161002)",
                       "bf16 is served on every product that serves the operator"},
    BehaviourPointInfo{BehaviourPoint::kIndexAddOtherOutput, "IndexAddOperation",
                       "output at another address than var is refused at Execute",
                       "INDEX_ADD adds into output without reading var, INDEX_ADD_VALID updates "
                       "var and leaves output alone"},
    BehaviourPointInfo{BehaviourPoint::kStridedSliceAssignOn950, "aclnnStridedSliceAssignV2",
                       "the 950 family is refused (161002)", "the 950 family is served"},
    BehaviourPointInfo{BehaviourPoint::kIndexAddV2FastModeFault, "aclnnIndexAddV2",
                       "a tensor that mode 0 does not take is refused with 161002",
                       "a tensor that mode 0 does not take is refused with 561103"},
};

}  // namespace

std::span<const BehaviourPointInfo> BehaviourPoints() noexcept { return kPoints; }

std::string_view Name(Behaviour behaviour) noexcept {
  return behaviour == Behaviour::kReleased ? "released" : "documented";
}

}  // namespace belay
