// Blocks: memory that a program was given an address of, for as long as anybody uses it.
#pragma once

#include <cstdint>
#include <memory>

#include "base/byte_range.h"
#include "runtime/heap.h"
#include "runtime/host_budget.h"

namespace belay::runtime {

class Reservation;

/// An API call as messages name it: "aclrtFree (call 12)".
struct CallSite {
  const char* function = "";
  std::uint64_t number = 0;
};

/// Where memory lives. Devices are numbered by user id; page-locked host memory has this one.
inline constexpr std::int32_t kHostMemory = -1;

/// A block while anybody uses it. Its bytes are there until the last shared_ptr is gone, so a
/// queued launch keeps what it touches; the program's view of it ends with aclrtFree or
/// aclrtUnmapMem.
class Block {
 public:
  Block(ByteRange where, std::int32_t home, std::uint64_t charged, CallSite site)
      : range(where), device(home), accounted_bytes(charged), origin(site) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  const ByteRange range;
  const std::int32_t device;            // or kHostMemory
  const std::uint64_t accounted_bytes;  // what the device's memory account was charged for it
  const CallSite origin;

  /// The reserved addresses that it is mapped at; null for a block of a heap.
  [[nodiscard]] virtual const Reservation* reservation() const noexcept { return nullptr; }
  /// The program's view of it ends. Called once, under the memory map's lock.
  virtual void End() noexcept {}
};

using BlockRef = std::shared_ptr<Block>;

/// A block of a heap: aclrtMalloc and aclrtMallocHost.
class HeapBlock final : public Block {
 public:
  HeapBlock(Heap& heap, HostBudget& budget, ByteRange where, std::int32_t home,
            std::uint64_t charged, CallSite site)
      : Block(where, home, charged, site), heap_(heap), budget_(budget) {}
  ~HeapBlock() override {
    // What the heap keeps stays promised.
    if (!heap_.Free(range)) budget_.Release(*Heap::Footprint(range.size));
  }

 private:
  Heap& heap_;
  HostBudget& budget_;
};

}  // namespace belay::runtime
