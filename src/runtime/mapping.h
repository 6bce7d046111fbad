// Physical memory at reserved addresses: what aclrtMapMem makes.
#pragma once

#include <cstddef>
#include <memory>

#include "base/status.h"
#include "runtime/address_space.h"
#include "runtime/block.h"
#include "runtime/physical_memory.h"

namespace belay::runtime {

/// A block like any other, but that neighbours in the same reservation may be used as one.
class Mapping final : public Block {
 public:
  /// Shows the share's bytes from `offset` on at `where`, which lies in the reservation. Refused
  /// while queued work uses an ended mapping there, and when the system has no mappings left.
  [[nodiscard]] static StatusOr<BlockRef> Make(std::shared_ptr<Reservation> reservation,
                                               ByteRange where, const PhysicalShare& share,
                                               std::size_t offset, CallSite site);

  Mapping(std::shared_ptr<Reservation> reservation, ByteRange where, const PhysicalShare& share,
          CallSite site)
      : Block(where, share.memory->device, /*charged=*/0, site),
        reservation_(std::move(reservation)),
        share_(share) {}
  ~Mapping() override {
    PhysicalStore::Hide(range);
    reservation_->Vacate(range);
  }

  [[nodiscard]] const Reservation* reservation() const noexcept override {
    return reservation_.get();
  }
  void End() noexcept override { share_.charge.reset(); }

 private:
  const std::shared_ptr<Reservation> reservation_;
  PhysicalShare share_;
};

}  // namespace belay::runtime
