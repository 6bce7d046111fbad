// The chips Belay can imitate: names, families and published figures, in one table.
//
// Source: CANN platform configuration (SoC versions and resource figures) and the product tables of
// the operator documents.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/export.h"

namespace belay {

/// A product generation. Operators are served or refused by family, never by single chip.
enum class Family : std::uint8_t {
  kAscend910,     // Atlas training products
  kAscend310P,    // Atlas inference products
  kAscend310B,    // Atlas 200I/500 A2 inference products
  kAscend910B,    // Atlas A2 training products / Atlas A2 inference products
  kAscend910_93,  // Atlas A3 training products / Atlas A3 inference products
  kAscend950,     // Ascend 950PR / Ascend 950DT
  kAscend350,     // Atlas 350 accelerator cards, the 950's generation
  kAscend031,
  kAscend035,  // IPV350 in the documents
  kKirinX90,
  kKirin9030,
};

/// What the documents call the family, for messages.
BELAY_EXPORT std::string_view ProductName(Family family) noexcept;

/// The family's short name, as BELAY_SOC takes it: "Ascend910_93".
BELAY_EXPORT std::string_view FamilyName(Family family) noexcept;

/// A set of families, for the support tables of operators.
class FamilySet {
 public:
  constexpr FamilySet() = default;
  constexpr FamilySet(std::initializer_list<Family> families) {
    for (const Family family : families) bits_ |= Bit(family);
  }
  [[nodiscard]] constexpr bool Has(Family family) const noexcept {
    return (bits_ & Bit(family)) != 0;
  }
  /// "Atlas A2 ... (Ascend910B), Atlas A3 ... (Ascend910_93)"
  [[nodiscard]] BELAY_EXPORT std::string Describe() const noexcept;

 private:
  static constexpr std::uint32_t Bit(Family family) noexcept {
    return std::uint32_t{1} << static_cast<unsigned>(family);
  }
  std::uint32_t bits_ = 0;
};

enum class DeviceMemory : std::uint8_t { kDdr, kHbm };

/// One chip. A figure without a value is one the published configuration leaves open.
struct Chip {
  std::string_view soc_name;  // what aclrtGetSocName answers
  Family family;
  std::uint32_t npu_arch;
  DeviceMemory memory_kind;
  std::uint32_t ai_cores;
  std::optional<std::uint32_t> cube_cores;
  std::uint32_t vector_cores;
  std::optional<std::uint64_t> memory_bytes;
  std::uint64_t l2_bytes;
  std::uint64_t unified_buffer_bytes;
  std::string_view figures_of;  // the chip whose published figures these are; itself in most rows
};

/// All chips, in the order of the published tables.
BELAY_EXPORT std::span<const Chip> AllChips() noexcept;

/// The chip of an exact SoC name, or the member that stands for a family name ("Ascend910B" means
/// Atlas A2, as in everybody's speech). Null for any other text.
BELAY_EXPORT const Chip* FindChip(std::string_view name) noexcept;

/// The family names that FindChip takes, "Ascend910, Ascend310P, ...", for messages.
BELAY_EXPORT std::string FamilyNames();

/// Figures of the family rather than of the chip.
/// Source: limits of stream and event counts in the acl API documents.
BELAY_EXPORT std::uint32_t MaxStreams(Family family) noexcept;
BELAY_EXPORT std::uint32_t MaxEvents(Family family) noexcept;

/// Bytes of device memory the emulated chip has: its published figure, else 32 GiB.
BELAY_EXPORT std::uint64_t MemoryCapacity(const Chip& chip) noexcept;

}  // namespace belay
