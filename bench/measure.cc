#include "measure.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace belay::bench {
namespace {

constexpr double kSlowNs = 5e8;
int slow_repetitions = 0;

/// Keeps the time of each repetition instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times_[run.run_name.function_name].push_back(run.real_accumulated_time * 1e9 /
                                                   static_cast<double>(run.iterations));
    }
  }
  [[nodiscard]] const std::vector<double>& TimesOf(const std::string& name) const {
    return times_.at(name);
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

bool KnownEnough(const Entry& entry) { return entry.known_ns >= kSlowNs && slow_repetitions == 0; }

void RunEntry(benchmark::State& state, const Entry& entry) {
  // Once outside the timing, so that buffers are as hot as they are in all later runs.
  if (entry.known_ns < kSlowNs) {
    entry.run();
    if (entry.settle) entry.settle();
  }
  if (!entry.settle) {
    for (auto _ : state) entry.run();
    return;
  }
  for (auto _ : state) {
    entry.run();
    state.PauseTiming();
    entry.settle();
    state.ResumeTiming();
  }
}

}  // namespace

void StartMeasuring(const Effort& effort) {
  slow_repetitions = effort.slow_repetitions;
  std::vector<std::string> arguments = {
      "belay_bench", "--benchmark_repetitions=" + std::to_string(effort.repetitions),
      "--benchmark_min_time=" + std::to_string(effort.seconds),
      "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
}

std::vector<std::vector<double>> Measure(const std::string& title,
                                         const std::vector<Entry>& entries) {
  const auto name_of = [&](const Entry& entry) { return title + "/" + entry.name; };
  for (const Entry& entry : entries) {
    if (KnownEnough(entry)) continue;
    auto* registered = benchmark::RegisterBenchmark(
        name_of(entry).c_str(), [&entry](benchmark::State& state) { RunEntry(state, entry); });
    registered->UseRealTime();
    if (entry.known_ns >= kSlowNs) registered->Iterations(1)->Repetitions(slow_repetitions);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();

  std::vector<std::vector<double>> times;
  for (const Entry& entry : entries) {
    times.push_back(KnownEnough(entry) ? std::vector{entry.known_ns}
                                       : collector.TimesOf(name_of(entry)));
    for (double& ns : times.back()) ns /= static_cast<double>(entry.calls);
  }
  return times;
}

double TimeOnce(const std::function<void()>& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count();
}

double MedianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace belay::bench
