#include "runtime/launch_memory.h"

#include <utility>

#include "runtime/machine.h"

namespace belay::runtime {

StatusOr<BlockRef> RequireLaunchMemory(std::string_view argument, const void* address,
                                       std::size_t size, std::int32_t device, Fault fault) {
  if (address == nullptr) {
    return Unexpected(Refuse(fault, "{} is null; allowed memory of device {}", argument, device));
  }
  const MemoryMap& memory = Machine::Get().memory();
  StatusOr<Place> place = memory.Locate(argument, address, size);
  if (!place) return Unexpected(Refuse(fault, "{}", place.error().message()));
  const bool usable = place->kind == PlaceKind::kRegisteredHost ||
                      (place->kind == PlaceKind::kDevice && place->device == device);
  if (!usable) {
    return Unexpected(Refuse(fault, "{} is {}; allowed memory of device {}", argument,
                             memory.Describe(address), device));
  }
  return std::move(place->block);
}

}  // namespace belay::runtime
