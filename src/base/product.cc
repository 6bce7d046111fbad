#include "base/product.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/status.h"

namespace belay {
namespace {

constexpr std::uint64_t kKib = 1024;
constexpr std::uint64_t kMib = 1024 * kKib;
constexpr std::uint64_t kGib = 1024 * kMib;

// Atlas inference cards publish a decimal figure.
constexpr std::uint64_t kInferenceCardBytes = 24'000'000'000;

// Families without published limits get the smallest published ones.
constexpr std::uint32_t kSmallestMaxStreams = 512;
constexpr std::uint32_t kSmallestMaxEvents = 1023;

struct FamilyFacts {
  Family family;
  std::string_view name;
  std::string_view product;
  std::string_view member;  // what the family name means to FindChip; empty: it takes no such name
  std::uint32_t npu_arch;
  DeviceMemory memory_kind;
  std::uint32_t max_streams;
  std::uint32_t max_events;
};

constexpr std::array kFamilies = {
    FamilyFacts{Family::kAscend910, "Ascend910", "Atlas training series products", "Ascend910A",
                1001, DeviceMemory::kHbm, 2048, 65535},
    FamilyFacts{Family::kAscend310P, "Ascend310P", "Atlas inference series products", "Ascend310P3",
                2002, DeviceMemory::kDdr, 1024, 1023},
    FamilyFacts{Family::kAscend310B, "Ascend310B", "Atlas 200I/500 A2 inference products",
                "Ascend310B1", 3002, DeviceMemory::kDdr, 512, 65536},
    FamilyFacts{Family::kAscend910B, "Ascend910B",
                "Atlas A2 training series / Atlas A2 inference series products", "Ascend910B4",
                2201, DeviceMemory::kHbm, 1984, 65536},
    FamilyFacts{Family::kAscend910_93, "Ascend910_93",
                "Atlas A3 training series / Atlas A3 inference series products", "Ascend910_9382",
                2201, DeviceMemory::kHbm, 1984, 65536},
    FamilyFacts{Family::kAscend950, "Ascend950", "Ascend 950PR / Ascend 950DT", "Ascend950PR_9599",
                3510, DeviceMemory::kHbm, 1984, 65536},
    FamilyFacts{Family::kAscend350, "Ascend350", "Atlas 350 accelerator cards", "", 3510,
                DeviceMemory::kHbm, 1984, 65536},
    FamilyFacts{Family::kAscend031, "Ascend031", "Ascend 031", "", 3004, DeviceMemory::kDdr,
                kSmallestMaxStreams, kSmallestMaxEvents},
    FamilyFacts{Family::kAscend035, "Ascend035", "IPV350", "", 3505, DeviceMemory::kDdr,
                kSmallestMaxStreams, kSmallestMaxEvents},
    FamilyFacts{Family::kKirinX90, "KirinX90", "Kirin X90", "", 3003, DeviceMemory::kDdr,
                kSmallestMaxStreams, kSmallestMaxEvents},
    FamilyFacts{Family::kKirin9030, "Kirin9030", "Kirin 9030", "", 3113, DeviceMemory::kDdr,
                kSmallestMaxStreams, kSmallestMaxEvents},
};

constexpr bool InEnumOrder() {
  for (std::size_t i = 0; i < kFamilies.size(); ++i) {
    if (static_cast<std::size_t>(kFamilies[i].family) != i) return false;
  }
  return true;
}
static_assert(InEnumOrder());

constexpr const FamilyFacts& FactsOf(Family family) {
  return kFamilies[static_cast<std::size_t>(family)];
}

struct Figures {
  std::uint32_t ai_cores;
  std::optional<std::uint32_t> cube_cores;
  std::uint32_t vector_cores;
  std::optional<std::uint64_t> memory_bytes;
  std::uint64_t l2_bytes;
  std::uint64_t unified_buffer_bytes;
};

constexpr Chip Row(Family family, std::string_view soc_name, const Figures& figures,
                   std::string_view figures_of) {
  const FamilyFacts& facts = FactsOf(family);
  return {soc_name,
          family,
          facts.npu_arch,
          facts.memory_kind,
          figures.ai_cores,
          figures.cube_cores,
          figures.vector_cores,
          figures.memory_bytes,
          figures.l2_bytes,
          figures.unified_buffer_bytes,
          figures_of};
}

constexpr Chip Published(Family family, std::string_view soc_name, const Figures& figures) {
  return Row(family, soc_name, figures, soc_name);
}

// A chip whose own figures are not published; WithSiblingFigures completes the row.
constexpr Chip Sibling(Family family, std::string_view soc_name, std::string_view figures_of) {
  return Row(family, soc_name, {}, figures_of);
}

// A chip of a family without any published figure: sized like the smallest published chip.
constexpr Chip Unpublished(Family family, std::string_view soc_name) {
  return Row(family, soc_name, {1, {}, 1, {}, 4 * kMib, 248 * kKib}, "");
}

// Chips that differ in name only.
constexpr Figures kTraining32{32, {}, 0, {}, 32 * kMib, 256 * kKib};
constexpr Figures kTraining30{30, {}, 0, {}, 32 * kMib, 256 * kKib};
constexpr Figures k310P8{8, {}, 7, kInferenceCardBytes, 16 * kMib, 256 * kKib};
constexpr Figures k310BOpen{1, 1, 1, {}, 4 * kMib, 248 * kKib};
constexpr Figures kA2With24{24, 24, 48, 64 * kGib, 192 * kMib, 192 * kKib};
constexpr Figures kA2With20{20, 20, 40, 64 * kGib, 192 * kMib, 192 * kKib};

constexpr Figures Ascend950(std::uint32_t cores, std::uint64_t memory_bytes,
                            std::uint64_t l2_bytes) {
  return {cores, cores, 2 * cores, memory_bytes, l2_bytes, 248 * kKib};
}

constexpr Family k910 = Family::kAscend910;
constexpr Family k310P = Family::kAscend310P;
constexpr Family k310B = Family::kAscend310B;
constexpr Family kA2 = Family::kAscend910B;
constexpr Family kA3 = Family::kAscend910_93;
constexpr Family k950 = Family::kAscend950;
constexpr Family k350 = Family::kAscend350;

// The training chip whose whole name is "Ascend910B" has no row: as a family that text means Atlas
// A2 to everybody, so no caller could ever choose the chip.
constexpr std::array kRows = {
    Published(k910, "Ascend910A", kTraining32),
    Published(k910, "Ascend910ProA", kTraining32),
    Published(k910, "Ascend910ProB", kTraining30),
    Published(k910, "Ascend910PremiumA", kTraining32),

    Published(k310P, "Ascend310P1", {10, {}, 8, kInferenceCardBytes, 16 * kMib, 256 * kKib}),
    Published(k310P, "Ascend310P3", k310P8),
    Published(k310P, "Ascend310P5", k310P8),
    Published(k310P, "Ascend310P7", k310P8),

    Published(k310B, "Ascend310B1", {1, 1, 1, 32 * kGib, 4 * kMib, 248 * kKib}),
    Published(k310B, "Ascend310B2", k310BOpen),
    Published(k310B, "Ascend310B3", k310BOpen),
    Published(k310B, "Ascend310B4", k310BOpen),

    Published(kA2, "Ascend910B1", kA2With24),
    Published(kA2, "Ascend910B2", kA2With24),
    Published(kA2, "Ascend910B2C", {24, 24, 48, {}, 192 * kMib, 192 * kKib}),
    Published(kA2, "Ascend910B3", kA2With20),
    Published(kA2, "Ascend910B4", {20, 20, 40, 32 * kGib, 96 * kMib, 192 * kKib}),
    Published(kA2, "Ascend910B4-1", {20, 20, 40, 32 * kGib, 168 * kMib, 192 * kKib}),

    Published(kA3, "Ascend910_9362", {20, 20, 40, 64 * kGib, 168 * kMib, 192 * kKib}),
    Published(kA3, "Ascend910_9363", {20, 20, 40, 32 * kGib, 168 * kMib, 192 * kKib}),
    Published(kA3, "Ascend910_9372", kA2With20),
    Published(kA3, "Ascend910_9381", kA2With24),
    Published(kA3, "Ascend910_9382", kA2With24),
    Published(kA3, "Ascend910_9391", kA2With24),
    Published(kA3, "Ascend910_9392", kA2With24),

    Published(k950, "Ascend950PR_9579", Ascend950(28, 128 * kGib, 128 * kMib)),
    Published(k950, "Ascend950PR_957b", Ascend950(28, 112 * kGib, 112 * kMib)),
    Sibling(k950, "Ascend950PR_957bx", "Ascend950PR_957b"),
    Published(k950, "Ascend950PR_957c", Ascend950(28, 84 * kGib, 112 * kMib)),
    Published(k950, "Ascend950PR_957d", Ascend950(28, 96 * kGib, 96 * kMib)),
    Published(k950, "Ascend950PR_9589", Ascend950(32, 128 * kGib, 128 * kMib)),
    Published(k950, "Ascend950PR_958b", Ascend950(32, 112 * kGib, 112 * kMib)),
    Published(k950, "Ascend950PR_9599", Ascend950(36, 128 * kGib, 128 * kMib)),
    Published(k950, "Ascend950PR_950z", Ascend950(4, 24 * kGib, 16 * kMib)),

    Published(k950, "Ascend950DT_9571", Ascend950(28, 144 * kGib, 128 * kMib)),
    Published(k950, "Ascend950DT_9572", Ascend950(28, 96 * kGib, 128 * kMib)),
    Sibling(k950, "Ascend950DT_9573", "Ascend950DT_9572"),
    Sibling(k950, "Ascend950DT_9574", "Ascend950DT_9572"),
    Sibling(k950, "Ascend950DT_9575", "Ascend950DT_9572"),
    Sibling(k950, "Ascend950DT_9576", "Ascend950DT_9572"),
    Sibling(k950, "Ascend950DT_9577", "Ascend950DT_9572"),
    Sibling(k950, "Ascend950DT_9578", "Ascend950DT_9572"),
    Published(k950, "Ascend950DT_9581", Ascend950(32, 144 * kGib, 128 * kMib)),
    Sibling(k950, "Ascend950DT_9581x", "Ascend950DT_9581"),
    Published(k950, "Ascend950DT_9582", Ascend950(32, 96 * kGib, 128 * kMib)),
    Sibling(k950, "Ascend950DT_9582x", "Ascend950DT_9582"),
    Sibling(k950, "Ascend950DT_9583", "Ascend950DT_9582"),
    Sibling(k950, "Ascend950DT_9584", "Ascend950DT_9582"),
    Sibling(k950, "Ascend950DT_9585", "Ascend950DT_9582"),
    Sibling(k950, "Ascend950DT_9586", "Ascend950DT_9582"),
    Sibling(k950, "Ascend950DT_9587", "Ascend950DT_9582"),
    Sibling(k950, "Ascend950DT_9588", "Ascend950DT_9582"),
    Published(k950, "Ascend950DT_9591", Ascend950(36, 144 * kGib, 128 * kMib)),
    Published(k950, "Ascend950DT_9592", Ascend950(36, 96 * kGib, 128 * kMib)),
    Sibling(k950, "Ascend950DT_9595", "Ascend950DT_9592"),
    Sibling(k950, "Ascend950DT_9596", "Ascend950DT_9592"),
    Published(k950, "Ascend950DT_95A1", Ascend950(36, 144 * kGib, 128 * kMib)),
    Sibling(k950, "Ascend950DT_95A2", "Ascend950DT_95A1"),
    Sibling(k950, "Ascend950DT_950x", "Ascend950PR_950z"),
    Sibling(k950, "Ascend950DT_950y", "Ascend950PR_950z"),

    Published(k350, "Ascend350_354f", Ascend950(14, 56 * kGib, 56 * kMib)),
    Published(k350, "Ascend350_355e", Ascend950(16, 64 * kGib, 64 * kMib)),

    Unpublished(Family::kAscend031, "Ascend031"),
    Unpublished(Family::kAscend035, "Ascend035"),
    Unpublished(Family::kAscend035, "Ascend035A"),
    Unpublished(Family::kAscend035, "Ascend035B"),
    Unpublished(Family::kKirinX90, "KirinX90"),
    Unpublished(Family::kKirin9030, "Kirin9030"),
};

constexpr auto WithSiblingFigures(auto chips) {
  for (Chip& chip : chips) {
    if (chip.figures_of.empty() || chip.figures_of == chip.soc_name) continue;
    for (const Chip& source : chips) {
      if (source.soc_name != chip.figures_of) continue;
      chip = Row(chip.family, chip.soc_name,
                 {source.ai_cores, source.cube_cores, source.vector_cores, source.memory_bytes,
                  source.l2_bytes, source.unified_buffer_bytes},
                 chip.figures_of);
    }
  }
  return chips;
}

constexpr auto kChips = WithSiblingFigures(kRows);

static_assert(std::ranges::all_of(kChips, [](const Chip& chip) { return chip.ai_cores > 0; }),
              "a row names a sibling that is not in the table");

}  // namespace

std::string_view ProductName(Family family) noexcept { return FactsOf(family).product; }

std::string_view FamilyName(Family family) noexcept { return FactsOf(family).name; }

std::string FamilySet::Describe() const noexcept {
  return Described([this] {
    std::string text;
    for (const FamilyFacts& facts : kFamilies) {
      if (!Has(facts.family)) continue;
      if (!text.empty()) text += ", ";
      text.append(facts.product).append(" (").append(facts.name).append(")");
    }
    return text.empty() ? "none" : text;
  });
}

std::span<const Chip> AllChips() noexcept { return kChips; }

const Chip* FindChip(std::string_view name) noexcept {
  for (const FamilyFacts& facts : kFamilies) {
    if (!facts.member.empty() && facts.name == name) {
      name = facts.member;
      break;
    }
  }
  const auto chip = std::ranges::find(kChips, name, &Chip::soc_name);
  return chip == kChips.end() ? nullptr : &*chip;
}

std::string FamilyNames() {
  std::string text;
  for (const FamilyFacts& facts : kFamilies) {
    if (facts.member.empty()) continue;
    if (!text.empty()) text += ", ";
    text.append(facts.name);
  }
  return text;
}

std::uint32_t MaxStreams(Family family) noexcept { return FactsOf(family).max_streams; }

std::uint32_t MaxEvents(Family family) noexcept { return FactsOf(family).max_events; }

std::uint64_t MemoryCapacity(const Chip& chip) noexcept {
  return chip.memory_bytes.value_or(32 * kGib);
}

}  // namespace belay
