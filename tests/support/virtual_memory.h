// Reserved addresses and physical memory that end with the test.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "acl/acl.h"

namespace belay::test {

/// The unit of sizes, offsets and addresses.
inline constexpr std::size_t kUnit = std::size_t{2} << 20;

inline aclrtPhysicalMemProp DeviceProperties(std::uint32_t device = 0) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  return prop;
}

/// Physical memory that is freed with the test.
class OwnPhysical {
 public:
  explicit OwnPhysical(std::size_t units, std::uint32_t device = 0) {
    const aclrtPhysicalMemProp prop = DeviceProperties(device);
    EXPECT_EQ(aclrtMallocPhysical(&handle_, units * kUnit, &prop, 0), ACL_SUCCESS);
  }
  OwnPhysical(const OwnPhysical&) = delete;
  OwnPhysical& operator=(const OwnPhysical&) = delete;
  ~OwnPhysical() {
    if (handle_ != nullptr) {
      EXPECT_EQ(aclrtFreePhysical(handle_), ACL_SUCCESS);
    }
  }

  operator aclrtDrvMemHandle() const { return handle_; }  // NOLINT: as the API takes it
  /// The test frees it itself.
  aclrtDrvMemHandle Release() { return std::exchange(handle_, nullptr); }

 private:
  aclrtDrvMemHandle handle_ = nullptr;
};

/// Reserved addresses; what was mapped through it and the reservation end with the test.
class OwnAddresses {
 public:
  explicit OwnAddresses(std::size_t units) {
    void* address = nullptr;
    EXPECT_EQ(aclrtReserveMemAddress(&address, units * kUnit, 0, nullptr, 0), ACL_SUCCESS);
    begin_ = static_cast<std::uint8_t*>(address);
  }
  OwnAddresses(const OwnAddresses&) = delete;
  OwnAddresses& operator=(const OwnAddresses&) = delete;
  ~OwnAddresses() {
    if (begin_ == nullptr) return;
    for (const std::size_t unit : mapped_) EXPECT_EQ(aclrtUnmapMem(At(unit)), ACL_SUCCESS);
    EXPECT_EQ(aclrtReleaseMemAddress(begin_), ACL_SUCCESS);
  }

  [[nodiscard]] std::uint8_t* At(std::size_t unit) const { return begin_ + unit * kUnit; }
  void Map(std::size_t at_unit, std::size_t units, aclrtDrvMemHandle handle,
           std::size_t offset_units = 0) {
    EXPECT_EQ(aclrtMapMem(At(at_unit), units * kUnit, offset_units * kUnit, handle, 0),
              ACL_SUCCESS);
    mapped_.insert(at_unit);
  }
  void Unmap(std::size_t unit) {
    EXPECT_EQ(aclrtUnmapMem(At(unit)), ACL_SUCCESS);
    mapped_.erase(unit);
  }
  /// They have ended with the device.
  void Forget() { begin_ = nullptr; }

 private:
  std::uint8_t* begin_ = nullptr;
  std::set<std::size_t> mapped_;  // by first unit
};

}  // namespace belay::test
