// One case of the benchmark: the work, who takes part, and what the machine's limit makes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limits/limits.h"
#include "peers/peer.h"

namespace belay::bench {

/// Bytes that have to move, and how; an ideal time is the sum over the parts.
struct Traffic {
  Kind kind = Kind::kCopy;
  double bytes = 0;
};

/// What the project wants to reach, with one thread. Zero: not stated.
struct Target {
  double ratio = 0;    // to the ideal time
  double call_ns = 0;  // for a call, or for one index
};

struct Contestant {
  std::string name;
  Call run;
  std::uint64_t calls = 1;  // in one run; times are for one call
  Call settle;              // after each run, outside of the measured time; may be empty
  bool is_limit = false;    // its time is the ideal one, for cases without traffic
};

/// The memory of a case and everybody who works on it.
class Contest {
 public:
  Contest() = default;
  virtual ~Contest() = default;
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  virtual std::vector<Contestant> MakeContestants(std::span<const std::unique_ptr<Peer>> peers) = 0;

  /// Everything as before the first call.
  virtual void Reset() = 0;
  /// What a call has written.
  [[nodiscard]] virtual std::vector<std::byte> Result() const = 0;
  /// Whether two results are the same work; to the bit unless the case knows better.
  [[nodiscard]] virtual bool Agree(std::span<const std::byte> ours,
                                   std::span<const std::byte> theirs) const;
};

struct Case {
  std::string group;
  std::string name;
  std::vector<Traffic> traffic;
  std::size_t working_set = 0;
  Target target;
  double units = 1;                                   // times are for a call divided by this
  bool only_in_full = false;                          // takes too long for a quick run
  std::function<std::unique_ptr<Contest>()> prepare;  // empty: only the limits
};

using Cases = std::vector<Case>;

void AddMachineCases(Cases& cases);
void AddSetValueCases(Cases& cases);
void AddRepeatCases(Cases& cases);
void AddIndexAddCases(Cases& cases);
void AddSmallCallCases(Cases& cases);
void AddKernelCases(Cases& cases);
void AddQuantKernelCases(Cases& cases);
void AddQuantCases(Cases& cases);

}  // namespace belay::bench
