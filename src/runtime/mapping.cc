#include "runtime/mapping.h"

#include <utility>

namespace belay::runtime {

StatusOr<BlockRef> Mapping::Make(std::shared_ptr<Reservation> reservation, ByteRange where,
                                 const PhysicalShare& share, std::size_t offset, CallSite site) {
  Reservation& home = *reservation;
  if (!home.Occupy(where)) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "virPtr is {:#x} with {} bytes, where queued work still uses what was "
                             "mapped before; allowed when the streams have finished that work",
                             where.begin, where.size));
  }
  BlockRef mapping;
  try {
    mapping = std::make_shared<Mapping>(std::move(reservation), where, share, site);
  } catch (...) {
    home.Vacate(where);
    throw;
  }
  // From here the mapping vacates its place.
  if (!share.memory->store.Show({share.memory->place.begin + offset, where.size}, where.begin)) {
    return Unexpected(Refuse(Fault::kOutOfMemory,
                             "the system refuses to map {} bytes; allowed as many mappings as "
                             "vm.max_map_count lets a process have",
                             where.size));
  }
  return mapping;
}

}  // namespace belay::runtime
