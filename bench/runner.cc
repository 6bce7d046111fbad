#include "runner.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "measure.h"
#include "memory.h"

namespace belay::bench {
namespace {

/// Compares what everybody computes, once, and finds out who is slow.
std::vector<Entry> Inspect(Contest& contest, std::vector<Contestant> contestants,
                           std::vector<Timing>& timings) {
  std::vector<Entry> entries;
  std::vector<std::byte> ours;
  for (Contestant& contestant : contestants) {
    contest.Reset();
    const double ns = TimeOnce(contestant.run);
    if (contestant.settle) contestant.settle();
    Timing timing;
    timing.name = contestant.name;
    if (!contestant.is_limit) {
      const std::vector<std::byte> result = contest.Result();
      if (entries.empty()) ours = result;
      timing.agrees = contest.Agree(ours, result);
    }
    timings.push_back(std::move(timing));
    entries.push_back({contestant.name, std::move(contestant.run), std::move(contestant.settle),
                       contestant.calls, ns});
  }
  return entries;
}

double MeasureForkJoin(Team& team, unsigned threads) {
  if (threads == 1) return 0;
  std::vector<double> ns;
  for (int i = 0; i < 501; ++i) {
    // As long as between two pieces of work that are worth threads; the others fall asleep.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    ns.push_back(TimeOnce([&] { team.Run([](unsigned) {}); }));
  }
  return MedianOf(std::move(ns));
}

}  // namespace

double Timing::Median() const { return MedianOf(ns); }

/// One limit loop over a working set of its own, split among threads.
struct Runner::LimitRun {
  /// Both sides begin at a page; without this a load would seem to depend on the store before it,
  /// which processors tell by the lower 12 bits of the addresses.
  static constexpr std::size_t kSkew = 33 * 64;

  LimitLoop loop;
  unsigned threads = 1;
  Split split;                // of each thread
  std::vector<Block> blocks;  // dst and src of each thread

  [[nodiscard]] double moved() const { return static_cast<double>(split.moved) * threads; }

  void Pass(unsigned rank) const {
    loop.run(blocks[2 * rank].get(), split.dst, blocks[2 * rank + 1].get() + kSkew, split.src);
  }
};

Runner::Runner(unsigned threads)
    : threads_(threads), team_(threads), fork_join_ns_(MeasureForkJoin(team_, threads)) {}

std::vector<Runner::LimitRun> Runner::LimitRuns(const Case& what) {
  std::vector<LimitRun> runs;
  for (const Traffic& traffic : what.traffic) {
    if (traffic.bytes == 0) continue;
    for (const unsigned threads : {1U, threads_}) {
      const Split split = SplitOf(traffic.kind, what.working_set / threads);
      for (const LimitLoop& loop : LoopsOf(traffic.kind)) {
        LimitRun run{loop, threads, split, {}};
        for (unsigned rank = 0; rank < threads; ++rank) {
          run.blocks.push_back(HugeBlock(split.dst));
          run.blocks.push_back(HugeBlock(split.src + LimitRun::kSkew));
        }
        runs.push_back(std::move(run));
      }
      if (threads_ == 1) break;
    }
  }
  return runs;
}

double Runner::IdealTime(const Case& what, const std::vector<Limit>& limits) const {
  const auto sum = [&](unsigned threads) {
    double ns = 0;
    for (const Traffic& traffic : what.traffic) {
      for (const Limit& limit : limits) {
        if (limit.kind == traffic.kind && limit.threads == threads) {
          ns += traffic.bytes / limit.bytes_per_ns;
        }
      }
    }
    return ns;
  };
  if (threads_ == 1) return sum(1);
  return std::min(sum(1), sum(threads_) + fork_join_ns_);
}

CaseResult Runner::Run(const Case& what, std::span<const std::unique_ptr<Peer>> peers) {
  CaseResult result;
  std::vector<Entry> entries;
  std::unique_ptr<Contest> contest;
  std::string ideal_of_its_own;
  if (what.prepare) {
    contest = what.prepare();
    std::vector<Contestant> contestants = contest->MakeContestants(peers);
    for (const Contestant& contestant : contestants) {
      if (contestant.is_limit) ideal_of_its_own = contestant.name;
    }
    entries = Inspect(*contest, std::move(contestants), result.timings);
  }

  const std::vector<LimitRun> limit_runs = LimitRuns(what);
  for (const LimitRun& run : limit_runs) {
    Entry entry;
    entry.name = "limit: " + std::string(NameOf(run.loop.kind)) + ", " +
                 std::string(run.loop.name) + ", threads: " + std::to_string(run.threads);
    if (run.threads == 1) {
      entry.run = [&run] { run.Pass(0); };
    } else {
      // Many passes for each start of the threads, which is not part of the limit.
      entry.calls = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(20e6 / run.moved()));
      entry.run = [this, &run, passes = entry.calls] {
        team_.Run([&](unsigned rank) {
          for (std::uint64_t i = 0; i < passes; ++i) run.Pass(rank);
        });
      };
    }
    entries.push_back(std::move(entry));
  }

  const std::vector<std::vector<double>> ns = Measure(what.name, entries);
  for (std::size_t i = 0; i < result.timings.size(); ++i) {
    for (const double time : ns[i]) result.timings[i].ns.push_back(time / what.units);
  }
  for (std::size_t i = 0; i < limit_runs.size(); ++i) {
    const LimitRun& run = limit_runs[i];
    const double rate = run.moved() / MedianOf(ns[result.timings.size() + i]);
    const auto known = std::ranges::find_if(result.limits, [&](const Limit& limit) {
      return limit.kind == run.loop.kind && limit.threads == run.threads;
    });
    const Limit limit{run.loop.kind, run.threads, std::string(run.loop.name), rate};
    if (known == result.limits.end()) {
      result.limits.push_back(limit);
    } else if (known->bytes_per_ns < rate) {
      *known = limit;
    }
  }

  result.ideal_ns = IdealTime(what, result.limits) / what.units;
  for (const Timing& timing : result.timings) {
    if (timing.name == ideal_of_its_own) result.ideal_ns = timing.Median();
  }
  return result;
}

}  // namespace belay::bench
