#include "base/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace belay {
namespace {

TEST(Product, NamesAreUniqueAndFindThemselves) {
  std::set<std::string_view> names;
  for (const Chip& chip : AllChips()) {
    EXPECT_TRUE(names.insert(chip.soc_name).second) << chip.soc_name;
    EXPECT_EQ(FindChip(chip.soc_name), &chip);
  }
  EXPECT_EQ(names.size(), 68U);
}

TEST(Product, FamilyNameStandsForAMember) {
  const std::pair<std::string_view, std::string_view> members[] = {
      {"Ascend910B", "Ascend910B4"},     {"Ascend910_93", "Ascend910_9382"},
      {"Ascend310P", "Ascend310P3"},     {"Ascend310B", "Ascend310B1"},
      {"Ascend950", "Ascend950PR_9599"}, {"Ascend910", "Ascend910A"},
  };
  for (const auto& [family, member] : members) {
    ASSERT_NE(FindChip(family), nullptr) << family;
    EXPECT_EQ(FindChip(family)->soc_name, member);
    EXPECT_EQ(FamilyName(FindChip(family)->family), family);
    EXPECT_NE(FamilyNames().find(family), std::string::npos);
  }
}

TEST(Product, OtherTextIsNoChip) {
  for (const char* name : {"", "Ascend", "ascend910b4", "Ascend910B4 ", "Ascend910B5", "Ascend350",
                           "Ascend910B44", "Kirin"}) {
    EXPECT_EQ(FindChip(name), nullptr) << name;
  }
}

struct PublishedRow {
  const char* name;
  std::uint32_t ai_cores;
  std::optional<std::uint32_t> cube_cores;
  std::uint32_t vector_cores;
  std::optional<std::uint64_t> memory_bytes;
  std::uint64_t l2_bytes;
  std::uint64_t unified_buffer_bytes;
};

// The platform configuration's figures, one or more of each family, as published.
const PublishedRow kPublished[] = {
    {"Ascend910A", 32, {}, 0, {}, 33554432, 262144},
    {"Ascend910ProB", 30, {}, 0, {}, 33554432, 262144},
    {"Ascend310P1", 10, {}, 8, 24000000000, 16777216, 262144},
    {"Ascend310P3", 8, {}, 7, 24000000000, 16777216, 262144},
    {"Ascend310B1", 1, 1, 1, 34359738368, 4194304, 253952},
    {"Ascend310B4", 1, 1, 1, {}, 4194304, 253952},
    {"Ascend910B1", 24, 24, 48, 68719476736, 201326592, 196608},
    {"Ascend910B2", 24, 24, 48, 68719476736, 201326592, 196608},
    {"Ascend910B2C", 24, 24, 48, {}, 201326592, 196608},
    {"Ascend910B3", 20, 20, 40, 68719476736, 201326592, 196608},
    {"Ascend910B4", 20, 20, 40, 34359738368, 100663296, 196608},
    {"Ascend910B4-1", 20, 20, 40, 34359738368, 176160768, 196608},
    {"Ascend910_9362", 20, 20, 40, 68719476736, 176160768, 196608},
    {"Ascend910_9363", 20, 20, 40, 34359738368, 176160768, 196608},
    {"Ascend910_9372", 20, 20, 40, 68719476736, 201326592, 196608},
    {"Ascend910_9382", 24, 24, 48, 68719476736, 201326592, 196608},
    {"Ascend950PR_957b", 28, 28, 56, 120259084288, 117440512, 253952},
    {"Ascend950PR_957c", 28, 28, 56, 90194313216, 117440512, 253952},
    {"Ascend950PR_957d", 28, 28, 56, 103079215104, 100663296, 253952},
    {"Ascend950PR_9599", 36, 36, 72, 137438953472, 134217728, 253952},
    {"Ascend950PR_950z", 4, 4, 8, 25769803776, 16777216, 253952},
    {"Ascend950DT_9571", 28, 28, 56, 154618822656, 134217728, 253952},
    {"Ascend950DT_9582", 32, 32, 64, 103079215104, 134217728, 253952},
    {"Ascend350_354f", 14, 14, 28, 60129542144, 58720256, 253952},
    {"Ascend350_355e", 16, 16, 32, 68719476736, 67108864, 253952},
};

TEST(Product, FiguresAreThePublishedOnes) {
  for (const PublishedRow& row : kPublished) {
    const Chip* chip = FindChip(row.name);
    ASSERT_NE(chip, nullptr) << row.name;
    EXPECT_EQ(chip->ai_cores, row.ai_cores) << row.name;
    EXPECT_EQ(chip->cube_cores, row.cube_cores) << row.name;
    EXPECT_EQ(chip->vector_cores, row.vector_cores) << row.name;
    EXPECT_EQ(chip->memory_bytes, row.memory_bytes) << row.name;
    EXPECT_EQ(chip->l2_bytes, row.l2_bytes) << row.name;
    EXPECT_EQ(chip->unified_buffer_bytes, row.unified_buffer_bytes) << row.name;
    EXPECT_EQ(chip->figures_of, row.name);
  }
}

TEST(Product, ChipWithoutFiguresHasThoseOfItsSibling) {
  for (const Chip& chip : AllChips()) {
    if (chip.figures_of.empty()) continue;
    const Chip* source = FindChip(chip.figures_of);
    ASSERT_NE(source, nullptr) << chip.soc_name;
    EXPECT_EQ(source->figures_of, source->soc_name);
    EXPECT_EQ(chip.family, source->family);
    EXPECT_EQ(chip.ai_cores, source->ai_cores);
    EXPECT_EQ(chip.memory_bytes, source->memory_bytes);
    EXPECT_EQ(chip.l2_bytes, source->l2_bytes);
  }
  EXPECT_EQ(FindChip("Ascend950DT_9585")->figures_of, "Ascend950DT_9582");
  EXPECT_EQ(FindChip("Ascend950DT_950x")->figures_of, "Ascend950PR_950z");
  EXPECT_EQ(FindChip("Ascend035B")->figures_of, "");
}

TEST(Product, FamilyDecidesArchAndMemoryKind) {
  EXPECT_EQ(FindChip("Ascend910A")->npu_arch, 1001U);
  EXPECT_EQ(FindChip("Ascend310P")->npu_arch, 2002U);
  EXPECT_EQ(FindChip("Ascend310B")->npu_arch, 3002U);
  EXPECT_EQ(FindChip("Ascend910B")->npu_arch, 2201U);
  EXPECT_EQ(FindChip("Ascend910_93")->npu_arch, 2201U);
  EXPECT_EQ(FindChip("Ascend950")->npu_arch, 3510U);
  EXPECT_EQ(FindChip("Ascend350_355e")->npu_arch, 3510U);
  EXPECT_EQ(FindChip("Ascend031")->npu_arch, 3004U);
  EXPECT_EQ(FindChip("Ascend035A")->npu_arch, 3505U);
  EXPECT_EQ(FindChip("KirinX90")->npu_arch, 3003U);
  EXPECT_EQ(FindChip("Kirin9030")->npu_arch, 3113U);
  EXPECT_EQ(FindChip("Ascend910B")->memory_kind, DeviceMemory::kHbm);
  EXPECT_EQ(FindChip("Ascend350_355e")->memory_kind, DeviceMemory::kHbm);
  EXPECT_EQ(FindChip("Ascend310P")->memory_kind, DeviceMemory::kDdr);
  EXPECT_EQ(FindChip("Ascend031")->memory_kind, DeviceMemory::kDdr);
}

TEST(Product, LimitsOfStreamsAndEvents) {
  EXPECT_EQ(MaxStreams(Family::kAscend910B), 1984U);
  EXPECT_EQ(MaxStreams(Family::kAscend910_93), 1984U);
  EXPECT_EQ(MaxStreams(Family::kAscend950), 1984U);
  EXPECT_EQ(MaxStreams(Family::kAscend310B), 512U);
  EXPECT_EQ(MaxStreams(Family::kAscend310P), 1024U);
  EXPECT_EQ(MaxStreams(Family::kAscend910), 2048U);
  EXPECT_EQ(MaxEvents(Family::kAscend910B), 65536U);
  EXPECT_EQ(MaxEvents(Family::kAscend310B), 65536U);
  EXPECT_EQ(MaxEvents(Family::kAscend310P), 1023U);
  EXPECT_EQ(MaxEvents(Family::kAscend910), 65535U);
}

TEST(Product, CapacityIsThePublishedFigureElse32Gib) {
  EXPECT_EQ(MemoryCapacity(*FindChip("Ascend910B1")), 68719476736U);
  EXPECT_EQ(MemoryCapacity(*FindChip("Ascend310P3")), 24000000000U);
  EXPECT_EQ(MemoryCapacity(*FindChip("Ascend910B2C")), 34359738368U);
  EXPECT_EQ(MemoryCapacity(*FindChip("Ascend910A")), 34359738368U);
}

TEST(Product, SetDescribesItsFamilies) {
  EXPECT_EQ(FamilySet().Describe(), "none");
  EXPECT_EQ((FamilySet{Family::kAscend950, Family::kAscend310P}.Describe()),
            "Atlas inference series products (Ascend310P), "
            "Ascend 950PR / Ascend 950DT (Ascend950)");
}

}  // namespace
}  // namespace belay
