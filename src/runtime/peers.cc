#include "runtime/peers.h"

#include "runtime/context.h"
#include "runtime/machine.h"

namespace belay::runtime {
namespace {

Status CheckPeerExists(Machine& machine, std::int32_t peer) {
  const StatusOr<Device*> found = machine.FindDevice(peer, "peerDeviceId");
  return found ? Status() : found.error();
}

// The current device, of which the peer is another one.
StatusOr<Device*> FindCurrentWithPeer(std::int32_t peer) {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  Machine& machine = Machine::Get();
  Device& device = machine.device((*current)->device);
  if (peer == device.id) {
    return Unexpected(
        NotAllowed(Fault::kInvalidParam, "peerDeviceId", peer,
                   Text("devices other than the current one, which is {}", device.id)));
  }
  if (Status status = CheckPeerExists(machine, peer); !status.ok()) {
    return Unexpected(std::move(status));
  }
  return &device;
}

}  // namespace

StatusOr<bool> CanAccessPeer(std::int32_t device, std::int32_t peer) {
  if (device == peer) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "peerDeviceId", peer,
                                 Text("devices other than deviceId, which is {}", device)));
  }
  Machine& machine = Machine::Get();
  if (const StatusOr<Device*> found = machine.FindDevice(device); !found) {
    return Unexpected(found.error());
  }
  if (Status status = CheckPeerExists(machine, peer); !status.ok()) {
    return Unexpected(std::move(status));
  }
  return true;
}

Status EnablePeerAccess(std::int32_t peer) {
  const StatusOr<Device*> device = FindCurrentWithPeer(peer);
  if (!device) return device.error();
  (*device)->AllowPeer(peer);
  return {};
}

Status DisablePeerAccess(std::int32_t peer) {
  const StatusOr<Device*> device = FindCurrentWithPeer(peer);
  if (!device) return device.error();
  (*device)->ForbidPeer(peer);
  Machine::Get().memory().EndAccess();
  return {};
}

StatusOr<bool> HasPeerAccess(std::int32_t device, std::int32_t peer) {
  Machine& machine = Machine::Get();
  const StatusOr<Device*> from = machine.FindDevice(device);
  if (!from) return Unexpected(Refuse(Fault::kParamInvalid, "{}", from.error().message()));
  if (Status status = CheckPeerExists(machine, peer); !status.ok()) {
    return Unexpected(Refuse(Fault::kParamInvalid, "{}", status.message()));
  }
  return (*from)->Reaches(peer);
}

}  // namespace belay::runtime
