// How cases of one operator are described; the smallest calls use the same descriptions.
#pragma once

#include <string>
#include <vector>

#include "contest.h"
#include "peers/belay_peer.h"

namespace belay::bench {

struct SetValueSpec {
  Type type = Type::kFp16;
  Shape dst;
  Shape src;
  std::vector<Shape> starts;  // one after the other, call by call
};

struct RepeatSpec {
  Type type = Type::kFp16;
  Shape x;
  Shape multiples;
};

enum class Indices : std::uint8_t { kUnique, kRandom };

struct IndexAddSpec {
  Type type = Type::kFp16;
  Shape var;
  std::size_t axis = 0;
  std::int64_t count = 0;
  Indices indices = Indices::kRandom;
};

Case SetValueCase(const SetValueSpec& spec, const std::string& note, Target target,
                  CallMode mode = CallMode::kCall);
Case RepeatCase(const RepeatSpec& spec, const std::string& note, Target target,
                CallMode mode = CallMode::kCall);
Case IndexAddCase(const IndexAddSpec& spec, const std::string& note, Target target,
                  CallMode mode = CallMode::kCall);

/// "(28,10,4096)"
std::string TextOf(const Shape& shape);

/// Random bits.
void FillRandom(std::byte* memory, std::size_t bytes);

}  // namespace belay::bench
