#include "base/usable_cores.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/config.h"

namespace belay {
namespace {

// Paths are plain text here: std::filesystem::path of some libraries ends the program when it runs
// out of memory.

std::optional<unsigned> CoresOf(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) return std::nullopt;
  const std::int64_t cores = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<unsigned>(std::min<std::int64_t>(cores, 1 << 20));
}

// "150000 100000", or "max 100000" where there is no quota.
std::optional<unsigned> ReadVersion2(const std::string& group) {
  std::ifstream file(group + "/cpu.max");
  std::int64_t quota = 0;
  std::int64_t period = 0;
  if (!(file >> quota >> period)) return std::nullopt;
  return CoresOf(quota, period);
}

// A quota of -1 means none.
std::optional<unsigned> ReadVersion1(const std::string& group) {
  std::ifstream quota_file(group + "/cpu.cfs_quota_us");
  std::ifstream period_file(group + "/cpu.cfs_period_us");
  std::int64_t quota = 0;
  std::int64_t period = 0;
  if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
  return CoresOf(quota, period);
}

using ReadQuota = std::optional<unsigned> (*)(const std::string& group);

// A quota anywhere on the way up binds. Inside a container the path may be the host's and not exist
// below the mount point; the way up then still ends at the container's own group.
void LowerToGroups(const std::string& mount, std::string group, ReadQuota read,
                   std::optional<unsigned>& cores) {
  while (group.ends_with('/')) group.pop_back();
  while (true) {
    if (const auto quota = read(mount + group)) {
      cores = std::min(cores.value_or(*quota), *quota);
    }
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return;
    group.resize(slash);
  }
}

bool NamesCpuController(std::string_view controllers) {
  while (!controllers.empty()) {
    const std::size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "cpu") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};

// The mask of the calling thread: compute threads that it starts inherit it.
unsigned AffinityCores() {
  // Machines with more CPUs than cpu_set_t holds refuse a small set with EINVAL.
  for (std::size_t cpus = CPU_SETSIZE; cpus <= (std::size_t{1} << 20); cpus *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(cpus));
    if (set == nullptr) break;
    const std::size_t size_bytes = CPU_ALLOC_SIZE(cpus);
    if (sched_getaffinity(0, size_bytes, set.get()) == 0) {
      return static_cast<unsigned>(CPU_COUNT_S(size_bytes, set.get()));
    }
    if (errno != EINVAL) break;
  }
  return std::thread::hardware_concurrency();
}

}  // namespace

std::optional<unsigned> QuotaCores(const std::string& root) {
  const std::string mounts = root + "/sys/fs/cgroup";
  std::optional<unsigned> cores;
  // A line is "hierarchy:controllers:path"; version 2 has no controllers.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    if (first == std::string::npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    // ".." stands for a place above what is mounted.
    const std::string group =
        line.find("/..", second) == std::string::npos ? line.substr(second + 1) : "/";
    if (controllers.empty()) {
      LowerToGroups(mounts, group, ReadVersion2, cores);
    } else if (NamesCpuController(controllers)) {
      LowerToGroups(mounts + "/" + controllers, group, ReadVersion1, cores);
      LowerToGroups(mounts + "/cpu", group, ReadVersion1, cores);
    }
  }
  return cores;
}

unsigned UsableCores() {
  const unsigned affinity = AffinityCores();
  return std::max(1U, std::min(affinity, QuotaCores("").value_or(affinity)));
}

}  // namespace belay
