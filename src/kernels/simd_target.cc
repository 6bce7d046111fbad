#include "kernels/simd_target.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd_target.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(TargetName);

}  // namespace

std::string_view SimdTargetName() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }

}  // namespace belay::kernels
#endif  // HWY_ONCE
