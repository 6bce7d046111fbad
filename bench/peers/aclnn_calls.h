// Belay's operators through the aclnn API, with descriptors that are built once.
#pragma once

#include "acl/acl.h"
#include "problem.h"

namespace belay::bench {

enum class AclnnMode : std::uint8_t {
  kBothPhases,  // phase one, phase two
  kRepeatable,  // phase two of an executor that was made once
};

/// The calls, on the stream; nobody waits for the work.
Call AclnnRepeat(const RepeatProblem& problem, AclnnMode mode, aclrtStream stream);
Call AclnnIndexAdd(const IndexAddProblem& problem, AclnnMode mode, aclrtStream stream);

}  // namespace belay::bench
