// The limits by themselves, from the first cache to memory.
#include "contest.h"

namespace belay::bench {

void AddMachineCases(Cases& cases) {
  constexpr std::size_t kKib = 1024;
  const struct {
    const char* name;
    std::size_t bytes;
  } sizes[] = {{"16 KiB", 16 * kKib},        {"256 KiB", 256 * kKib},
               {"1 MiB", 1024 * kKib},       {"8 MiB", 8 * kKib * kKib},
               {"64 MiB", 64 * kKib * kKib}, {"512 MiB", 512 * kKib * kKib}};
  for (const Kind kind : kAllKinds) {
    for (const auto& [name, bytes] : sizes) {
      Case limit;
      limit.group = "Machine";
      limit.name = std::string(NameOf(kind)) + ", " + name;
      limit.working_set = bytes;
      limit.traffic = {{kind, static_cast<double>(SplitOf(kind, bytes).moved)}};
      limit.only_in_full = bytes > 64 * kKib * kKib;
      cases.push_back(std::move(limit));
    }
  }
}

}  // namespace belay::bench
