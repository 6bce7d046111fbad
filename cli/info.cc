// `belay info`: everything comes from the tables and the reader that the libraries themselves use.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/behaviour.h"
#include "base/config.h"
#include "base/product.h"
#include "commands.h"
#include "kernels/simd_target.h"
#include "ops/all_ops.h"
#include "runtime/host_budget.h"

namespace belay::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto Variable = [](const char* name) -> const char* { return std::getenv(name); };

std::string AclVersion() {
  return fmt::format("{}.{}.{}", kAclMajorVersion, kAclMinorVersion, kAclPatchVersion);
}

std::string_view MemoryKind(const Chip& chip) {
  return chip.memory_kind == DeviceMemory::kHbm ? "HBM" : "DDR";
}

std::string_view FaceName(ops::Face face) { return face == ops::Face::kAclnn ? "aclnn" : "ATB"; }

std::uint64_t HostCanCommit() {
  runtime::HostBudget budget;
  return budget.Available();
}

/// Variables that are set and look like Belay's, but that Belay does not read: slips of the pen.
std::vector<std::string> UnknownVariables() {
  std::vector<std::string> unknown;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with("BELAY_")) continue;
    bool known = false;
    for (const VariableInfo& variable : BelayVariables()) known = known || variable.name == name;
    if (!known) unknown.emplace_back(name);
  }
  return unknown;
}

// ---- As JSON. Sizes are in bytes; null stands for what is not set or not published.

Json OrNull(const auto& value) { return value ? Json(*value) : Json(nullptr); }

Json ChipJson(const Chip& chip) {
  return {{"soc_name", chip.soc_name},
          {"family", FamilyName(chip.family)},
          {"product", ProductName(chip.family)},
          {"npu_arch", chip.npu_arch},
          {"ai_cores", chip.ai_cores},
          {"cube_cores", OrNull(chip.cube_cores)},
          {"vector_cores", chip.vector_cores},
          {"memory_kind", MemoryKind(chip)},
          {"memory_published_bytes", OrNull(chip.memory_bytes)},
          {"memory_bytes", MemoryCapacity(chip)},
          {"l2_bytes", chip.l2_bytes},
          {"unified_buffer_bytes", chip.unified_buffer_bytes},
          {"figures_of", chip.figures_of.empty() ? Json(nullptr) : Json(chip.figures_of)}};
}

Json BehaviourJson(Behaviour behaviour) {
  Json points = Json::array();
  for (const BehaviourPointInfo& point : BehaviourPoints()) {
    points.push_back({{"subject", point.subject},
                      {"documented", point.documented},
                      {"released", point.released}});
  }
  return {{"name", Name(behaviour)}, {"points", points}};
}

Json OperatorsJson(const Chip& chip) {
  Json operators = Json::array();
  ops::ForEachOpInfo([&](const ops::OpInfo& info) {
    for (const ops::Support& row : info.support) {
      operators.push_back({{"name", row.name},
                           {"face", FaceName(row.face)},
                           {"products", row.products.Describe()},
                           {"served_on_this_chip", row.products.Has(chip.family)}});
    }
  });
  return operators;
}

Json VariablesJson() {
  Json variables = Json::array();
  for (const VariableInfo& variable : BelayVariables()) {
    const char* value = Variable(variable.name.data());
    variables.push_back({{"name", variable.name},
                         {"value", value != nullptr ? Json(value) : Json(nullptr)},
                         {"allowed", variable.allowed},
                         {"meaning", variable.meaning}});
  }
  return variables;
}

void PrintJson(const Json& json) {
  // A value of the environment need not be UTF-8.
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void PrintInfoJson(const Config& config) {
  PrintJson(
      {{"version", BELAY_VERSION},
       {"imitates", {{"acl", AclVersion()}, {"atb", kAtbVersion}, {"cann", kCannVersion}}},
       {"chip", ChipJson(*config.chip)},
       {"devices", {{"count", config.visible_devices.size()}, {"visible", config.visible_devices}}},
       {"host_can_commit_bytes", HostCanCommit()},
       {"compute_threads", config.compute_threads},
       {"simd_target", kernels::SimdTargetName()},
       {"behaviour", BehaviourJson(config.behaviour)},
       {"operators", OperatorsJson(*config.chip)},
       {"variables", VariablesJson()},
       {"unknown_variables", UnknownVariables()}});
}

// ---- As text.

/// "32 GiB", "22.4 GiB", "192 KiB"
std::string Size(std::uint64_t bytes) {
  constexpr std::uint64_t kStep = 1024;
  std::uint64_t unit = kStep;
  std::string_view name = "KiB";
  for (const std::string_view larger : {"MiB", "GiB"}) {
    if (bytes < unit * kStep) break;
    unit *= kStep;
    name = larger;
  }
  if (bytes % unit == 0) return fmt::format("{} {}", bytes / unit, name);
  return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(unit), name);
}

std::string Figures(const Chip& chip) {
  std::string text = fmt::format("AI cores {}, ", chip.ai_cores);
  if (chip.cube_cores) text += fmt::format("cube cores {}, ", *chip.cube_cores);
  return text + fmt::format("vector cores {}, L2 {}, unified buffer {}", chip.vector_cores,
                            Size(chip.l2_bytes), Size(chip.unified_buffer_bytes));
}

/// Where the figures come from, when not from the chip's own published ones.
std::string FiguresNote(const Chip& chip) {
  if (chip.figures_of.empty()) return "none are published for this chip; these are Belay's choice";
  if (chip.figures_of != chip.soc_name) {
    return fmt::format("those of {}; none are published for this chip", chip.figures_of);
  }
  return {};
}

std::string Capacity(const Chip& chip) {
  std::string text = fmt::format("{} {}", Size(MemoryCapacity(chip)), MemoryKind(chip));
  if (!chip.memory_bytes) text += " (no size is published)";
  return text;
}

void Row(std::string_view name, std::string_view text) { fmt::print("{:<13}{}\n", name, text); }

void PrintOperators(const Chip& chip) {
  fmt::print("\nOperators\n");
  ops::ForEachOpInfo([&](const ops::OpInfo& info) {
    for (const ops::Support& row : info.support) {
      fmt::print("  {} ({}), {} on this chip\n    products: {}\n", row.name, FaceName(row.face),
                 row.products.Has(chip.family) ? "served" : "refused", row.products.Describe());
    }
  });
}

void PrintVariables() {
  fmt::print("\nVariables\n");
  for (const VariableInfo& variable : BelayVariables()) {
    const char* value = Variable(variable.name.data());
    fmt::print("  {}{}\n    {}\n    allowed: {}\n", variable.name,
               value != nullptr ? fmt::format("={}", value) : " (not set)", variable.meaning,
               variable.allowed);
  }
  for (const std::string& name : UnknownVariables()) {
    fmt::print("  {} is set, but Belay has no such variable: a slip?\n", name);
  }
}

void PrintInfoText(const Config& config) {
  const Chip& chip = *config.chip;
  Row("Belay", BELAY_VERSION);
  Row("Imitates", fmt::format("acl {}, ATB {}, CANN {}", AclVersion(), kAtbVersion, kCannVersion));
  Row("Chip", fmt::format("{} (family {}, NPU architecture {})", chip.soc_name,
                          FamilyName(chip.family), chip.npu_arch));
  Row("Product", ProductName(chip.family));
  Row("Figures", Figures(chip));
  if (const std::string note = FiguresNote(chip); !note.empty()) Row("", note);
  Row("Devices", config.visible_devices.empty()
                     ? "0: ASCEND_RT_VISIBLE_DEVICES leaves none"
                     : fmt::format("{} (physical id {})", config.visible_devices.size(),
                                   fmt::join(config.visible_devices, ", ")));
  Row("Memory", fmt::format("{} per device; this host can commit {} more", Capacity(chip),
                            Size(HostCanCommit())));
  Row("Threads", fmt::format("{}", config.compute_threads));
  Row("SIMD target", kernels::SimdTargetName());
  Row("Behaviour", Name(config.behaviour));

  const bool documented = config.behaviour == Behaviour::kDocumented;
  const Behaviour other = documented ? Behaviour::kReleased : Behaviour::kDocumented;
  fmt::print("\nBELAY_BEHAVIOR={} would differ here\n", Name(other));
  for (const BehaviourPointInfo& point : BehaviourPoints()) {
    fmt::print("  {}: {}\n", point.subject, documented ? point.released : point.documented);
  }
  PrintOperators(chip);
  PrintVariables();
  fmt::print("\n`belay info --chips` lists the chips that BELAY_SOC may name.\n");
}

}  // namespace

int PrintInfo(bool as_json) {
  const StatusOr<Config> config = ReadConfig(Variable);
  if (!config) {
    fmt::print(stderr, "belay: {}\n", config.error().message());
    return kBadEnvironment;
  }
  if (as_json) {
    PrintInfoJson(*config);
  } else {
    PrintInfoText(*config);
  }
  return kSuccess;
}

int PrintChips(bool as_json) {
  if (as_json) {
    Json chips = Json::array();
    for (const Chip& chip : AllChips()) chips.push_back(ChipJson(chip));
    PrintJson(chips);
    return kSuccess;
  }
  std::optional<Family> family;
  for (const Chip& chip : AllChips()) {
    if (chip.family != family) {
      family = chip.family;
      const Chip* member = FindChip(FamilyName(*family));
      const bool is_family = member != nullptr && member->soc_name != FamilyName(*family);
      fmt::print(
          "{}{}\n", ProductName(*family),
          is_family ? fmt::format(": {} means {}", FamilyName(*family), member->soc_name) : "");
    }
    fmt::print("  {:<18} {}, {}\n", chip.soc_name, Figures(chip), Capacity(chip));
    if (const std::string note = FiguresNote(chip); !note.empty()) fmt::print("    {}\n", note);
  }
  return kSuccess;
}

}  // namespace belay::cli
