// Runs all cases in this process, with as many compute threads as BELAY_NUM_THREADS says, and
// writes the results as JSON. scripts/bench.sh runs it and makes the tables.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "acl/acl.h"
#include "check.h"
#include "contest.h"
#include "measure.h"
#include "runner.h"

namespace belay::bench {
namespace {

struct Options {
  std::string json;
  std::string filter = ".";
  bool quick = false;
};

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument.starts_with("--filter=")) {
      options.filter = argument.substr(9);
    } else if (argument.starts_with("--json=")) {
      options.json = argument.substr(7);
    } else {
      std::fprintf(stderr, "usage: %s [--quick] [--filter=REGEX] [--json=FILE]\n", argv[0]);
      std::exit(2);
    }
  }
  return options;
}

unsigned ThreadCount() {
  const char* text = std::getenv("BELAY_NUM_THREADS");
  const int threads = text != nullptr ? std::atoi(text) : 0;
  return threads > 0 ? static_cast<unsigned>(threads) : std::thread::hardware_concurrency();
}

Cases AllCases() {
  Cases cases;
  AddMachineCases(cases);
  AddSmallCallCases(cases);
  AddSetValueCases(cases);
  AddRepeatCases(cases);
  AddIndexAddCases(cases);
  AddKernelCases(cases);
  AddQuantKernelCases(cases);
  AddQuantCases(cases);  // last: it changes how the C library gives blocks
  return cases;
}

nlohmann::json JsonOf(const Case& what, const CaseResult& result) {
  nlohmann::json json{{"group", what.group},
                      {"name", what.name},
                      {"working_set", what.working_set},
                      {"ideal_ns", result.ideal_ns},
                      {"target", {{"ratio", what.target.ratio}, {"call_ns", what.target.call_ns}}}};
  double bytes = 0;
  for (const Traffic& traffic : what.traffic) bytes += traffic.bytes;
  json["bytes"] = bytes;
  json["limits"] = nlohmann::json::array();
  for (const Limit& limit : result.limits) {
    json["limits"].push_back({{"kind", NameOf(limit.kind)},
                              {"threads", limit.threads},
                              {"loop", limit.loop},
                              {"gigabytes_per_second", limit.bytes_per_ns}});
  }
  json["timings"] = nlohmann::json::array();
  for (const Timing& timing : result.timings) {
    json["timings"].push_back({{"name", timing.name},
                               {"median_ns", timing.Median()},
                               {"ns", timing.ns},
                               {"agrees", timing.agrees}});
  }
  return json;
}

void PrintLine(const Case& what, const CaseResult& result) {
  std::printf("%-72s", what.name.c_str());
  if (result.ideal_ns > 0) std::printf(" ideal %.4g ns", result.ideal_ns);
  for (const Timing& timing : result.timings) {
    std::printf(", %s %.4g%s", timing.name.c_str(), timing.Median(),
                timing.agrees ? "" : " (DIFFERENT RESULT)");
  }
  for (const Limit& limit : result.limits) {
    if (!result.timings.empty()) break;
    std::printf(", %u threads %.4g GB/s (%s)", limit.threads, limit.bytes_per_ns,
                limit.loop.c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  const std::regex filter(options.filter);
  const unsigned threads = ThreadCount();
  if (options.quick) {
    StartMeasuring({.repetitions = 3, .seconds = 0.002, .slow_repetitions = 0});
  } else {
    StartMeasuring({.repetitions = 9, .seconds = 0.02, .slow_repetitions = 3});
  }
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  const auto peers = MakePeers(threads);
  Runner runner(threads);

  nlohmann::json json{{"threads", threads},
                      {"quick", options.quick},
                      {"absent_peers", BELAY_BENCH_ABSENT_PEERS},
                      {"fork_join_ns", runner.fork_join_ns()},
                      {"cases", nlohmann::json::array()}};
  bool all_agree = true;
  for (const Case& what : AllCases()) {
    if (options.quick && what.only_in_full) continue;
    if (!std::regex_search(what.group + ": " + what.name, filter)) continue;
    const CaseResult result = runner.Run(what, peers);
    for (const Timing& timing : result.timings) all_agree = all_agree && timing.agrees;
    PrintLine(what, result);
    json["cases"].push_back(JsonOf(what, result));
    // After each case, so that a run that is stopped leaves what it has.
    if (!options.json.empty()) std::ofstream(options.json) << json.dump(1) << '\n';
  }
  return all_agree ? 0 : 1;
}

}  // namespace
}  // namespace belay::bench

int main(int argc, char** argv) { return belay::bench::Main(argc, argv); }
