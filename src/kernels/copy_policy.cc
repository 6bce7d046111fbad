#include "kernels/copy_policy.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace belay::kernels {

bool HasQuickStringCopy() noexcept {
#if defined(__x86_64__)
  // "Fast short rep mov": also tells apart the processors on which rep movsb is slow off a line.
  static const bool has = [] {
    constexpr unsigned kFeatures = 7;
    constexpr unsigned kFastShortRepMov = 1U << 4;
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) != 0 &&
           (edx & kFastShortRepMov) != 0;
  }();
  return has;
#else
  return false;
#endif
}

}  // namespace belay::kernels
