// What a call costs when there is next to nothing to do.
#include "cases/operator_cases.h"

namespace belay::bench {

void AddSmallCallCases(Cases& cases) {
  const struct {
    CallMode mode;
    const char* note;
    Target target;
  } modes[] = {
      {CallMode::kSetupCall, ", Setup + Execute + synchronise", {.call_ns = 300}},
      {CallMode::kCall, ", Execute + synchronise", {}},
      {CallMode::kTrain, ", Execute in a train of 1,000", {.call_ns = 100}},
      {CallMode::kLaunch, ", launch only", {}},
  };
  const SetValueSpec set_value{Type::kFp16, {2, 4}, {2, 2}, {{0, 1}}};
  const RepeatSpec repeat{Type::kFp16, {2, 4}, {1, 2}};
  const IndexAddSpec index_add{Type::kFp16, {4, 8}, 0, 2, Indices::kUnique};
  const auto add = [&](Case small) {
    small.group = "Smallest calls";
    small.traffic.clear();  // a few bytes; no limit of memory's
    cases.push_back(std::move(small));
  };
  for (const auto& [mode, note, target] : modes) {
    add(SetValueCase(set_value, note, target, mode));
    add(RepeatCase(repeat, note, target, mode));
    add(IndexAddCase(index_add, note, target, mode));
  }
  const struct {
    CallMode mode;
    const char* note;
    Target target;
  } aclnn_modes[] = {
      {CallMode::kAclnn, ", aclnn: both phases + synchronise", {.call_ns = 600}},
      {CallMode::kAclnnRepeatable, ", aclnn: repeatable executor + synchronise", {.call_ns = 250}},
  };
  for (const auto& [mode, note, target] : aclnn_modes) {
    add(RepeatCase(repeat, note, target, mode));
    add(IndexAddCase(index_add, note, target, mode));
  }
}

}  // namespace belay::bench
