// Access of one device to the memory of another. The rules live in runtime/peers.cc.
#include "acl/acl_call.h"
#include "runtime/peers.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;

namespace {

constexpr const char* kSource = "acl API, peer access";

}  // namespace

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return AclCall({"aclrtDeviceCanAccessPeer", kSource}, [&](Machine&) -> Status {
    const auto can = belay::runtime::CanAccessPeer(deviceId, peerDeviceId);
    if (!can && can.error().fault() == Fault::kInvalidParam) return can.error();
    if (canAccessPeer == nullptr) {
      return Refuse(Fault::kParamInvalid, "canAccessPeer is null; allowed a valid pointer");
    }
    if (!can) return can.error();
    *canAccessPeer = *can ? 1 : 0;
    return {};
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return AclCall({"aclrtDeviceEnablePeerAccess", kSource}, [&](Machine&) -> Status {
    if (flags != 0) {
      return NotAllowed(Fault::kFeatureUnsupported, "flags", flags, "0 (reserved)");
    }
    return belay::runtime::EnablePeerAccess(peerDeviceId);
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return AclCall({"aclrtDeviceDisablePeerAccess", kSource},
                 [&](Machine&) { return belay::runtime::DisablePeerAccess(peerDeviceId); });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return AclCall({"aclrtDevicePeerAccessStatus", kSource}, [&](Machine&) -> Status {
    if (status == nullptr) return NullPointer("status");
    const auto has = belay::runtime::HasPeerAccess(deviceId, peerDeviceId);
    if (!has) return has.error();
    *status = *has ? 1 : 0;
    return {};
  });
}
