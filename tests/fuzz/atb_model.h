// What ATB operations have to do with memory, by the plain references beside the operators.
#pragma once

#include <atb/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/behaviour.h"

namespace belay::fuzz {

enum class AtbKind : std::uint8_t { kSetValue, kRepeat, kIndexAdd, kIndexAddValid };

struct AtbParams {
  AtbKind kind = AtbKind::kRepeat;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> multiples;
  std::int64_t axis = 0;
};

/// An enum of the interface may hold any number, which must not be read as the enum.
template <class E>
std::int32_t NumberOf(const E& value) {
  std::int32_t number = 0;
  static_assert(sizeof(number) == sizeof(value));
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

std::size_t InputCount(AtbKind kind);
std::size_t OutputCount(AtbKind kind);

/// Bytes of a tensor that is not larger than the tests' memory; 0 for any other.
std::size_t SmallTensorBytes(const atb::TensorDesc& desc);

/// Whether InferShape (without outputs) or Setup may accept the tensors.
bool MayAccept(const AtbParams& params, std::span<const atb::TensorDesc> inputs,
               std::span<const atb::TensorDesc> outputs, Behaviour behaviour);

/// The shape that InferShape has to answer for inputs that it accepts.
std::vector<std::int64_t> ExpectedShape(const AtbParams& params,
                                        std::span<const atb::TensorDesc> inputs);

/// The memory that operations may touch, and what it has to hold.
class AtbMemory {
 public:
  void Add(void* begin, std::size_t size);
  /// What has to be in [address, address + size), which must be all in one block.
  [[nodiscard]] std::span<std::byte> Expected(const void* address, std::size_t size);
  [[nodiscard]] bool MatchesExpected() const;

 private:
  struct Block {
    std::byte* begin;
    std::vector<std::byte> expected;
  };
  std::vector<Block> blocks_;
};

/// Inputs first, then outputs.
struct AtbLaunch {
  AtbParams params;
  std::vector<atb::TensorDesc> descs;
  std::vector<void*> addresses;
};

/// Changes what memory has to hold as the launch does. False, and no change, when the task has to
/// meet a fault.
bool Apply(const AtbLaunch& launch, AtbMemory& memory);

}  // namespace belay::fuzz
