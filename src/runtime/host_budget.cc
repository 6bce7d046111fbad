#include "runtime/host_budget.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace belay::runtime {
namespace {

// Left to the rest of the machine: page tables, the program's own heap, other processes.
constexpr std::uint64_t kMargin = std::uint64_t{256} << 20;
constexpr std::uint64_t kAllowance = std::uint64_t{64} << 20;
constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> ReadNumber(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::uint64_t MemAvailable() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kib = 0;
  std::string unit;
  while (file >> key >> kib && std::getline(file, unit)) {
    if (key == "MemAvailable:") return kib * 1024;
  }
  return kUnlimited;  // an old kernel: only the system's own refusals remain
}

// What one memory cgroup still allows. Its page cache can be dropped, so it does not count as used.
std::uint64_t CgroupRoom(const std::string& directory) {
  const std::optional<std::uint64_t> limit = ReadNumber(directory + "/memory.max");
  const std::optional<std::uint64_t> used = ReadNumber(directory + "/memory.current");
  if (!limit || !used) return kUnlimited;
  std::uint64_t cache = 0;
  std::ifstream stat(directory + "/memory.stat");
  std::string key;
  std::uint64_t value = 0;
  while (stat >> key >> value) {
    if (key == "inactive_file" || key == "active_file") cache += value;
  }
  const std::uint64_t firm = *used > cache ? *used - cache : 0;
  return *limit > firm ? *limit - firm : 0;
}

std::uint64_t AllCgroupsRoom() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("0::/")) continue;
    std::uint64_t room = kUnlimited;
    std::string path = line.substr(3);
    for (;;) {
      room = std::min(room, CgroupRoom("/sys/fs/cgroup" + path));
      if (path.empty() || path == "/") break;
      path.resize(path.rfind('/'));
    }
    return room;
  }
  const auto limit = ReadNumber("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  const auto used = ReadNumber("/sys/fs/cgroup/memory/memory.usage_in_bytes");
  if (limit && used) return *limit > *used ? *limit - *used : 0;
  return kUnlimited;
}

std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  if (!(file >> total >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

HostBudget::HostBudget() : resident_at_start_(ResidentBytes()) {}

bool HostBudget::Reserve(std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (size > allowance_) {
    const std::uint64_t room = Look();
    if (size > room) return false;
    allowance_ = std::min(kAllowance, room - size) + size;
  }
  allowance_ -= size;
  promised_ += size;
  return true;
}

void HostBudget::Release(std::size_t size) noexcept {
  const std::lock_guard lock(mutex_);
  promised_ -= std::min<std::uint64_t>(promised_, size);
}

std::uint64_t HostBudget::Available() {
  const std::lock_guard lock(mutex_);
  return Look();
}

std::uint64_t HostBudget::Look() const {
  const std::uint64_t room = std::min(MemAvailable(), AllCgroupsRoom());
  const std::uint64_t resident = ResidentBytes();
  const std::uint64_t touched = resident > resident_at_start_ ? resident - resident_at_start_ : 0;
  const std::uint64_t untouched = promised_ > touched ? promised_ - touched : 0;
  const std::uint64_t spoken_for = untouched + kMargin;
  return room > spoken_for ? room - spoken_for : 0;
}

}  // namespace belay::runtime
