// Page-locked and registered host memory, and what aclrtPointerGetAttributes says of an address.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class HostMemoryTest : public DeviceTest {};

constexpr auto kMapped = ACL_HOST_REGISTER_MAPPED;

TEST_F(HostMemoryTest, PageLockedMemoryIsAlignedAndTheHosts) {
  for (const std::size_t size : {1, 64, 1000, 3 << 20}) {
    void* memory = nullptr;
    ASSERT_EQ(aclrtMallocHost(&memory, size), ACL_SUCCESS);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
    std::memset(memory, 0x5A, size);
    EXPECT_EQ(static_cast<unsigned char*>(memory)[size - 1], 0x5A);
    EXPECT_EQ(aclrtFreeHost(memory), ACL_SUCCESS);
  }
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(free, total) << "no device is charged";
}

TEST_F(HostMemoryTest, MallocHostRefusals) {
  Output<void*> memory;
  ExpectRefused(aclrtMallocHost(nullptr, 8), 100000, "aclrtMallocHost", "hostPtr is null");
  ExpectRefused(aclrtMallocHost(nullptr, 0), 100000, "aclrtMallocHost", "hostPtr is null");
  ExpectRefused(aclrtMallocHost(&memory, 0), 100000, "aclrtMallocHost", "size is 0");
  for (const std::size_t size : {std::size_t{1} << 50, SIZE_MAX - 63, SIZE_MAX}) {
    ExpectRefused(aclrtMallocHost(&memory, size), 207001, "aclrtMallocHost",
                  "size is " + std::to_string(size));
  }
  EXPECT_TRUE(memory.Untouched());
}

TEST_F(HostMemoryTest, FreeHostSaysWhatTheAddressIs) {
  ExpectRefused(aclrtFreeHost(nullptr), 100000, "aclrtFreeHost", "hostPtr is null");
  void* memory = nullptr;
  ASSERT_EQ(aclrtMallocHost(&memory, 80), ACL_SUCCESS);
  ExpectRefused(aclrtFreeHost(static_cast<char*>(memory) + 8), 107000, "aclrtFreeHost",
                "8 bytes into a block of 80 bytes of page-locked host memory from aclrtMallocHost");
  ASSERT_EQ(aclrtFreeHost(memory), ACL_SUCCESS);
  ExpectRefused(aclrtFreeHost(memory), 107000, "aclrtFreeHost",
                "in a block of 80 bytes from aclrtMallocHost", "freed by aclrtFreeHost (call ");
  const Block block(32);
  ExpectRefused(aclrtFreeHost(block.get()), 107000, "aclrtFreeHost",
                "the start of a block of 32 bytes of memory of device 0");
  void* const on_heap = std::malloc(16);
  ExpectRefused(aclrtFreeHost(on_heap), 107000, "aclrtFreeHost", "host memory that no aclrtMalloc");
  std::free(on_heap);
}

TEST_F(HostMemoryTest, PageLockedMemoryOutlivesTheDevice) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMallocHost(&memory, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  std::memset(memory, 1, 64);
  EXPECT_EQ(aclrtFreeHost(memory), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

// Pages of the system's, so that neighbours and holes are known.
class Pages {
 public:
  explicit Pages(std::size_t count) : size_(count * kPage) {
    void* address =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(address, MAP_FAILED);
    begin_ = static_cast<char*>(address);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(begin_, size_); }

  [[nodiscard]] char* At(std::size_t offset) const { return begin_ + offset; }
  void Unmap(std::size_t page) const { ::munmap(begin_ + page * kPage, kPage); }

  static constexpr std::size_t kPage = 65536;  // a multiple of every page size there is

 private:
  char* begin_ = nullptr;
  std::size_t size_;
};

aclError Register(void* address, std::size_t size) {
  void* device = nullptr;
  return aclrtHostRegister(address, size, kMapped, &device);
}

TEST_F(HostMemoryTest, RegisterGivesAnAddressForTheDevice) {
  const Pages pages(1);
  for (const unsigned type : {0U, 4U, 8U, 12U}) {
    void* device = nullptr;
    ASSERT_EQ(aclrtHostRegister(pages.At(0), Pages::kPage, static_cast<aclrtHostRegisterType>(type),
                                &device),
              ACL_SUCCESS)
        << type;
    EXPECT_NE(device, nullptr);
    EXPECT_EQ(aclrtHostUnregister(pages.At(0)), ACL_SUCCESS);
  }
}

TEST_F(HostMemoryTest, RegisterRefusals) {
  const Pages pages(1);
  Output<void*> device;
  ExpectRefused(aclrtHostRegister(nullptr, 8, kMapped, &device), 100000, "aclrtHostRegister",
                "ptr is null");
  ExpectRefused(aclrtHostRegister(pages.At(0), 8, kMapped, nullptr), 100000, "aclrtHostRegister",
                "devPtr is null");
  ExpectRefused(aclrtHostRegister(nullptr, 0, kMapped, nullptr), 100000, "ptr is null");
  ExpectRefused(aclrtHostRegister(pages.At(0), 0, kMapped, &device), 100000, "size is 0");
  for (const unsigned type : {1U, 2U, 5U, 16U, 0x10000000U}) {
    ExpectRefused(
        aclrtHostRegister(pages.At(0), 8, static_cast<aclrtHostRegisterType>(type), &device),
        207000, "aclrtHostRegister", "type is " + std::to_string(type));
  }
  const Block block(64);
  ExpectRefused(aclrtHostRegister(block.get(), 64, kMapped, &device), 107000, "aclrtHostRegister",
                "memory of device 0");
  EXPECT_TRUE(device.Untouched());
  ExpectRefused(aclrtHostUnregister(pages.At(0)), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
                "aclrtHostUnregister", "ptr is 0x");
}

TEST_F(HostMemoryTest, MemoryThatIsNotThereCannotBeRegistered) {
  const Pages pages(4);
  pages.Unmap(1);
  Output<void*> device;
  const std::pair<void*, std::uint64_t> holes[] = {
      {pages.At(Pages::kPage), Pages::kPage},  // the hole
      {pages.At(0), Pages::kPage + 1},         // reaches into it
      {pages.At(0), 3 * Pages::kPage},         // spans it
      {reinterpret_cast<void*>(std::uintptr_t{64}), 64},
      {pages.At(0), std::uint64_t{1} << 46},
      {pages.At(0), UINT64_MAX},  // wraps
      {reinterpret_cast<void*>(UINTPTR_MAX), 2},
  };
  for (const auto& [address, size] : holes) {
    ExpectRefused(aclrtHostRegister(address, size, kMapped, &device), 107000, "aclrtHostRegister",
                  "size is " + std::to_string(size) + "; allowed host memory");
  }
  EXPECT_TRUE(device.Untouched());
  EXPECT_EQ(Register(pages.At(0), Pages::kPage), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(pages.At(0)), ACL_SUCCESS);
}

TEST_F(HostMemoryTest, RegisteredRangesDoNotOverlap) {
  const Pages pages(4);
  char* const begin = pages.At(Pages::kPage);
  ASSERT_EQ(Register(begin, Pages::kPage), ACL_SUCCESS);
  Output<void*> device;
  const std::pair<char*, std::size_t> overlapping[] = {
      {begin, Pages::kPage},            // the same
      {begin, 1},                       // its first byte
      {begin + Pages::kPage - 1, 1},    // its last byte
      {begin - 1, 2},                   // into its start
      {begin + Pages::kPage - 1, 100},  // over its end
      {pages.At(0), 4 * Pages::kPage},  // around it
  };
  for (const auto& [address, size] : overlapping) {
    ExpectRefused(aclrtHostRegister(address, size, kMapped, &device),
                  ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "aclrtHostRegister", "overlaps",
                  "registered by aclrtHostRegister (call ");
  }
  EXPECT_TRUE(device.Untouched());
  EXPECT_EQ(Register(pages.At(0), Pages::kPage), ACL_SUCCESS) << "neighbours are no overlap";
  EXPECT_EQ(Register(begin + Pages::kPage, Pages::kPage), ACL_SUCCESS);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(aclrtHostUnregister(pages.At(i * Pages::kPage)), ACL_SUCCESS);
  }
}

TEST_F(HostMemoryTest, UnregisterRefusals) {
  constexpr aclError kCode = ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
  ExpectRefused(aclrtHostUnregister(nullptr), 100000, "aclrtHostUnregister", "ptr is null");
  const Pages pages(1);
  ASSERT_EQ(Register(pages.At(0), Pages::kPage), ACL_SUCCESS);
  ExpectRefused(aclrtHostUnregister(pages.At(1)), kCode, "aclrtHostUnregister",
                "registered host memory");
  ASSERT_EQ(aclrtHostUnregister(pages.At(0)), ACL_SUCCESS);
  ExpectRefused(aclrtHostUnregister(pages.At(0)), kCode, "aclrtHostUnregister", "host memory");
  EXPECT_EQ(Register(pages.At(0), Pages::kPage), ACL_SUCCESS) << "and can be registered again";
  EXPECT_EQ(aclrtHostUnregister(pages.At(0)), ACL_SUCCESS);
}

TEST_F(HostMemoryTest, ThreadsRegisterTheirOwnRanges) {
  const Pages pages(8);
  RunTogether(8, [&pages](std::size_t thread) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(Register(pages.At(thread * Pages::kPage), Pages::kPage), ACL_SUCCESS);
      EXPECT_EQ(aclrtHostUnregister(pages.At(thread * Pages::kPage)), ACL_SUCCESS);
    }
  });
}

// Attributes.

aclrtPtrAttributes AttributesOf(const void* address) {
  Output<aclrtPtrAttributes> attributes;
  EXPECT_EQ(aclrtPointerGetAttributes(address, &attributes), ACL_SUCCESS);
  return *attributes;
}

TEST_F(HostMemoryTest, AttributeRefusals) {
  Output<aclrtPtrAttributes> attributes;
  int local = 0;
  ExpectRefused(aclrtPointerGetAttributes(nullptr, &attributes), 100000,
                "aclrtPointerGetAttributes", "ptr is null");
  ExpectRefused(aclrtPointerGetAttributes(&local, nullptr), 100000, "aclrtPointerGetAttributes",
                "attributes is null");
  ExpectRefused(aclrtPointerGetAttributes(nullptr, nullptr), 100000, "ptr is null");
  EXPECT_TRUE(attributes.Untouched());
}

TEST_F(HostMemoryTest, AttributesOfEveryKindOfMemory) {
  const Block block(100);
  for (const std::size_t offset : {0, 50, 99}) {
    const aclrtPtrAttributes attributes = AttributesOf(block.At(offset));
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE) << offset;
    EXPECT_EQ(attributes.location.id, 0U);
    EXPECT_GT(attributes.pageSize, 0U);
  }
  void* page_locked = nullptr;
  ASSERT_EQ(aclrtMallocHost(&page_locked, 100), ACL_SUCCESS);
  EXPECT_EQ(AttributesOf(static_cast<char*>(page_locked) + 99).location.type,
            ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(AttributesOf(page_locked).location.id, 0U);
  EXPECT_EQ(aclrtFreeHost(page_locked), ACL_SUCCESS);

  const Pages pages(1);
  EXPECT_EQ(AttributesOf(pages.At(0)).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  ASSERT_EQ(Register(pages.At(0), Pages::kPage), ACL_SUCCESS);
  EXPECT_EQ(AttributesOf(pages.At(Pages::kPage - 1)).location.type, ACL_MEM_LOCATION_TYPE_HOST);
  ASSERT_EQ(aclrtHostUnregister(pages.At(0)), ACL_SUCCESS);
  EXPECT_EQ(AttributesOf(pages.At(0)).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);

  int on_stack = 0;
  EXPECT_EQ(AttributesOf(&on_stack).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  Block freed(64);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  EXPECT_EQ(AttributesOf(stale).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(AttributesOf(reinterpret_cast<void*>(UINTPTR_MAX)).location.type,
            ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(HostMemoryTest, AttributesNameTheDevice) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "3"}}, [] {
    for (const int32_t device : {2, 0, 1}) {
      ASSERT_EQ(aclrtSetDevice(device), ACL_SUCCESS);
      const Block block(64);
      const aclrtPtrAttributes attributes = AttributesOf(block.get());
      EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
      EXPECT_EQ(attributes.location.id, static_cast<std::uint32_t>(device));
    }
  });
}

}  // namespace
}  // namespace belay::test
