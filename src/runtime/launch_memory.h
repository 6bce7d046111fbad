// Whether the arguments of a launch lie in memory that the stream's device may use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "runtime/memory_map.h"
#include "runtime/stream.h"

namespace belay::runtime {

/// Checks one launch, again and again with whatever addresses it has by then. An answer is
/// remembered for as long as nothing that it depends on has changed, so a launch that is repeated
/// costs no look at the memory map.
class BELAY_EXPORT LaunchMemory {
 public:
  /// Every argument of the plan lies in live memory of the device, of one that it has peer access
  /// to, or in registered host memory, else kTensorAddr, with what the address is. So does the
  /// workspace, whose address comes after those of the tensors; it shares no bytes with them, else
  /// kInvalidParam. Then the plan's own rule for addresses.
  [[nodiscard]] Status Check(const MemoryMap::Reading& reading, const Launch& launch,
                             std::size_t tensor_count, std::int32_t device);

  /// The plan is another one.
  void Forget() noexcept { known_ = false; }

  /// Checks the launch and gives it to the stream, which runs it at once or holds its blocks.
  /// Floats overflow as the stream's device has it now.
  [[nodiscard]] Status Submit(const Ref<Stream>& stream, Launch& launch, std::size_t tensor_count);

 private:
  /// A launch that passed Check under the same `reading`, with references to its blocks.
  [[nodiscard]] static LaunchTask Hold(const MemoryMap::Reading& reading, const Launch& launch,
                                       std::size_t tensor_count);

  /// Whether the last good answer is about this launch, and nothing has ended since.
  [[nodiscard]] bool Knows(const Launch& launch, std::int32_t device) const;

  bool known_ = false;
  bool is_little_ = false;  // see Stream::IsLittle
  // What the last good answer depends on.
  std::int32_t device_ = 0;
  std::uint64_t endings_ = 0;
  std::array<void*, Launch::kMaxAddresses> addresses_{};
};

}  // namespace belay::runtime
