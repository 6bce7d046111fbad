// Which device may touch the memory of which other one. All virtual devices can reach each other;
// a program has to ask for it, and asks for one direction.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/status.h"

namespace belay::runtime {

/// Whether the device could be given access. kInvalidParam for a device and itself.
BELAY_EXPORT StatusOr<bool> CanAccessPeer(std::int32_t device, std::int32_t peer);
/// Gives the current device access to the memory of another. Asking again changes nothing.
BELAY_EXPORT Status EnablePeerAccess(std::int32_t peer);
/// Takes it back: later launches and copies are refused, queued ones are not.
BELAY_EXPORT Status DisablePeerAccess(std::int32_t peer);
/// Whether the device has access now; to its own memory always. kParamInvalid for a wrong id.
BELAY_EXPORT StatusOr<bool> HasPeerAccess(std::int32_t device, std::int32_t peer);

}  // namespace belay::runtime
