// Runs cases: the machine's limit, Belay and the peers in one Google Benchmark run, in which their
// repetitions are mixed, so that a disturbance meets all of them alike.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contest.h"
#include "limits/team.h"

namespace belay::bench {

/// Times of one contestant, for one call, in nanoseconds.
struct Timing {
  std::string name;
  std::vector<double> ns;  // one for each repetition
  bool agrees = true;      // with Belay's result

  [[nodiscard]] double Median() const;
};

/// The best loop of one kind of traffic at the case's working set.
struct Limit {
  Kind kind = Kind::kCopy;
  unsigned threads = 1;
  std::string loop;
  double bytes_per_ns = 0;
};

struct CaseResult {
  std::vector<Limit> limits;
  std::vector<Timing> timings;
  double ideal_ns = 0;  // 0: there is none
};

class Runner {
 public:
  explicit Runner(unsigned threads);

  /// How long it takes to have all threads, which sleep, do nothing and to wait for them.
  [[nodiscard]] double fork_join_ns() const { return fork_join_ns_; }

  CaseResult Run(const Case& what, std::span<const std::unique_ptr<Peer>> peers);

 private:
  struct LimitRun;
  std::vector<LimitRun> LimitRuns(const Case& what);
  [[nodiscard]] double IdealTime(const Case& what, const std::vector<Limit>& limits) const;

  unsigned threads_;
  Team team_;
  double fork_join_ns_ = 0;
};

}  // namespace belay::bench
