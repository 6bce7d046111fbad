// What operators of a device do with results beyond the range of their type.
#include "acl/acl_call.h"
#include "base/float_overflow.h"
#include "runtime/context.h"

using belay::Fault;
using belay::FloatOverflow;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;

namespace {

constexpr const char* kSource = "acl API, overflow";

}  // namespace

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return AclCall({"aclrtSetDeviceSatMode", kSource}, [&](Machine& machine) -> Status {
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
      return NotAllowed(Fault::kParamInvalid, "mode", static_cast<int>(mode),
                        "ACL_RT_OVERFLOW_MODE_SATURATION (0) and ACL_RT_OVERFLOW_MODE_INFNAN (1)");
    }
    const auto current = belay::runtime::CurrentContext();
    if (!current) return current.error();
    machine.device((*current)->device)
        .float_overflow.store(mode == ACL_RT_OVERFLOW_MODE_SATURATION ? FloatOverflow::kSaturate
                                                                      : FloatOverflow::kInfNan);
    return {};
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return AclCall({"aclrtGetDeviceSatMode", kSource}, [&](Machine& machine) -> Status {
    if (mode == nullptr) return NullPointer("mode");
    const auto current = belay::runtime::CurrentContext();
    if (!current) return current.error();
    const FloatOverflow overflow = machine.device((*current)->device).float_overflow.load();
    *mode = overflow == FloatOverflow::kSaturate ? ACL_RT_OVERFLOW_MODE_SATURATION
                                                 : ACL_RT_OVERFLOW_MODE_INFNAN;
    return {};
  });
}
