// aclrtMemcpyBatch and aclrtMemcpyBatchAsync, with and without failIndex.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/virtual_memory.h"

namespace belay::test {
namespace {

constexpr aclrtMemLocation kHost{0, ACL_MEM_LOCATION_TYPE_HOST};
constexpr aclrtMemLocation kDevice{0, ACL_MEM_LOCATION_TYPE_DEVICE};

aclrtMemcpyBatchAttr Attribute(aclrtMemLocation dst, aclrtMemLocation src) {
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc = dst;
  attribute.srcLoc = src;
  return attribute;
}

/// The arguments of one call.
struct Batch {
  std::vector<void*> dsts;
  std::vector<std::size_t> dest_maxs;
  std::vector<void*> srcs;
  std::vector<std::size_t> sizes;
  std::vector<aclrtMemcpyBatchAttr> attrs;
  std::vector<std::size_t> indexes;

  void Add(void* dst, void* src, std::size_t size) { Add(dst, size, src, size); }
  void Add(void* dst, std::size_t dest_max, void* src, std::size_t size) {
    dsts.push_back(dst);
    dest_maxs.push_back(dest_max);
    srcs.push_back(src);
    sizes.push_back(size);
  }
  /// From the next entry on.
  void Says(aclrtMemLocation dst, aclrtMemLocation src) {
    attrs.push_back(Attribute(dst, src));
    indexes.push_back(dsts.size());
  }
};

enum class Form : std::uint8_t { kNow, kNowV2, kAsync, kAsyncV2 };

// As ctest names cases.
void PrintTo(Form form, std::ostream* out) {
  constexpr const char* kNames[] = {"Now", "NowV2", "Async", "AsyncV2"};
  *out << kNames[static_cast<int>(form)];
}

/// Device memory for a fixture, which is there before its device is.
class LateBlock {
 public:
  void Write(const Bytes& bytes) { block_ = std::make_unique<Block>(bytes); }
  [[nodiscard]] Bytes Read(std::size_t size) const { return block_->Read(size); }
  [[nodiscard]] void* At(std::size_t offset) const { return block_->At(offset); }
  void Free() { block_.reset(); }

 private:
  std::unique_ptr<Block> block_;
};

class CopyBatchTest : public DeviceTest, public testing::WithParamInterface<Form> {
 protected:
  [[nodiscard]] bool InStream() const {
    return GetParam() == Form::kAsync || GetParam() == Form::kAsyncV2;
  }
  [[nodiscard]] bool HasFailIndex() const {
    return GetParam() == Form::kNow || GetParam() == Form::kAsync;
  }
  aclError Copy(Batch& b, aclrtStream stream = nullptr) {
    return Copy(b.dsts.data(), b.dest_maxs.data(), b.srcs.data(), b.sizes.data(), b.dsts.size(),
                b.attrs.data(), b.indexes.data(), b.attrs.size(), stream);
  }
  aclError Copy(void** dsts, std::size_t* dest_maxs, void** srcs, std::size_t* sizes,
                std::size_t count, aclrtMemcpyBatchAttr* attrs, std::size_t* indexes,
                std::size_t attr_count, aclrtStream stream = nullptr) {
    fail_index_ = kUntouched;
    switch (GetParam()) {
      case Form::kNow:
        return aclrtMemcpyBatch(dsts, dest_maxs, srcs, sizes, count, attrs, indexes, attr_count,
                                &fail_index_);
      case Form::kNowV2:
        return aclrtMemcpyBatchV2(dsts, dest_maxs, srcs, sizes, count, attrs, indexes, attr_count);
      case Form::kAsync:
        return aclrtMemcpyBatchAsync(dsts, dest_maxs, srcs, sizes, count, attrs, indexes,
                                     attr_count, &fail_index_, stream);
      case Form::kAsyncV2:
        return aclrtMemcpyBatchAsyncV2(dsts, dest_maxs, srcs, sizes, count, attrs, indexes,
                                       attr_count, stream);
    }
    return -1;
  }
  /// Refused with a message, the entry at fault, and nothing copied to `dst`.
  template <class... Texts>
  void ExpectBatchRefused(Batch& batch, int code, std::size_t entry, const Texts&... texts) {
    const Bytes before = dst_.Read(kBytes);
    ExpectRefused(Copy(batch), code, "aclrtMemcpyBatch", texts...);
    EXPECT_EQ(fail_index_, HasFailIndex() ? entry : kUntouched);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_EQ(dst_.Read(kBytes), before);
  }
  /// Two good entries, from the host.
  Batch Good() {
    Batch batch;
    batch.Says(kDevice, kHost);
    batch.Add(dst_.At(0), host_.data(), 16);
    batch.Add(dst_.At(16), host_.data() + 16, 16);
    return batch;
  }

  static constexpr std::size_t kBytes = 256;
  static constexpr std::size_t kUntouched = 4711;
  std::size_t fail_index_ = kUntouched;
  Bytes host_ = SomeBytes(kBytes);

  void SetUp() override {
    DeviceTest::SetUp();
    dst_.Write(Bytes(kBytes, 0));
  }
  void TearDown() override {
    dst_.Free();
    DeviceTest::TearDown();
  }

  LateBlock dst_;  // zeros
};
INSTANTIATE_TEST_SUITE_P(, CopyBatchTest,
                         testing::Values(Form::kNow, Form::kNowV2, Form::kAsync, Form::kAsyncV2),
                         testing::PrintToStringParamName());

constexpr std::size_t kNoEntry = SIZE_MAX;

TEST_P(CopyBatchTest, EveryDirectionInOneCall) {
  const Block source(SomeBytes(64, 2));
  Bytes back(32);
  Batch batch;
  batch.Says(kDevice, kHost);
  batch.Add(dst_.At(0), host_.data(), 10);
  batch.Add(dst_.At(100), 20, host_.data() + 10, 13);
  batch.Says(kDevice, kDevice);
  batch.Add(dst_.At(200), source.At(5), 50);
  batch.Says(kHost, kDevice);
  batch.Add(back.data(), source.At(1), 32);
  ASSERT_EQ(Copy(batch), ACL_SUCCESS) << TakeMessages();
  EXPECT_EQ(fail_index_, kUntouched);
  Bytes expected(kBytes, 0);
  const Bytes seen = SomeBytes(64, 2);
  std::copy_n(host_.begin(), 10, expected.begin());
  std::copy_n(host_.begin() + 10, 13, expected.begin() + 100);
  std::copy_n(seen.begin() + 5, 50, expected.begin() + 200);
  // With pageable memory in a batch, all is done when the call returns.
  EXPECT_EQ(dst_.Read(kBytes), expected);
  EXPECT_EQ(back, Bytes(seen.begin() + 1, seen.begin() + 33));
}

TEST_P(CopyBatchTest, EntriesComeOneAfterTheOther) {
  Batch batch;
  batch.Says(kDevice, kHost);
  batch.Add(dst_.At(0), host_.data(), 16);
  batch.Says(kDevice, kDevice);
  batch.Add(dst_.At(16), dst_.At(0), 16);
  batch.Add(dst_.At(32), dst_.At(16), 16);
  ASSERT_EQ(Copy(batch), ACL_SUCCESS);
  for (const std::size_t at : {0, 16, 32}) {
    const Bytes all = dst_.Read(kBytes);
    EXPECT_TRUE(std::equal(host_.begin(), host_.begin() + 16,
                           all.begin() + static_cast<std::ptrdiff_t>(at)));
  }
}

TEST_P(CopyBatchTest, EntriesWithNothingToDo) {
  Batch batch;
  batch.Says(kDevice, kHost);
  batch.Add(nullptr, 0, nullptr, 0);
  batch.Add(dst_.At(0), host_.data(), 16);
  batch.Add(dst_.At(0), dst_.At(0), 16);  // dst == src
  ASSERT_EQ(Copy(batch), ACL_SUCCESS) << TakeMessages();
  EXPECT_EQ(dst_.Read(16), Bytes(host_.begin(), host_.begin() + 16));
}

TEST_P(CopyBatchTest, NullsAndZeroCounts) {
  Batch b = Good();
  const auto expect = [&](aclError result, const char* text) {
    ExpectRefused(result, 100000, "aclrtMemcpyBatch", text);
    EXPECT_EQ(fail_index_, HasFailIndex() ? kNoEntry : kUntouched);
  };
  void** const dsts = b.dsts.data();
  void** const srcs = b.srcs.data();
  std::size_t* const maxs = b.dest_maxs.data();
  std::size_t* const sizes = b.sizes.data();
  aclrtMemcpyBatchAttr* const attrs = b.attrs.data();
  std::size_t* const indexes = b.indexes.data();
  expect(Copy(nullptr, maxs, srcs, sizes, 2, attrs, indexes, 1), "dsts is null");
  expect(Copy(dsts, nullptr, srcs, sizes, 2, attrs, indexes, 1), "destMaxs is null");
  expect(Copy(dsts, maxs, nullptr, sizes, 2, attrs, indexes, 1), "srcs is null");
  expect(Copy(dsts, maxs, srcs, nullptr, 2, attrs, indexes, 1), "sizes is null");
  expect(Copy(dsts, maxs, srcs, sizes, 0, attrs, indexes, 1), "numBatches is 0");
  expect(Copy(dsts, maxs, srcs, sizes, 2, nullptr, indexes, 1), "attrs is null");
  expect(Copy(dsts, maxs, srcs, sizes, 2, attrs, nullptr, 1), "attrsIndexes is null");
  expect(Copy(dsts, maxs, srcs, sizes, 2, attrs, indexes, 0), "numAttrs is 0");
  if (GetParam() == Form::kNow) {
    ExpectRefused(aclrtMemcpyBatch(dsts, maxs, srcs, sizes, 2, attrs, indexes, 1, nullptr), 100000,
                  "aclrtMemcpyBatch: failIndex is null");
  }
  if (GetParam() == Form::kAsync) {
    ExpectRefused(
        aclrtMemcpyBatchAsync(dsts, maxs, srcs, sizes, 2, attrs, indexes, 1, nullptr, nullptr),
        100000, "aclrtMemcpyBatchAsync: failIndex is null");
  }
  EXPECT_EQ(dst_.Read(kBytes), Bytes(kBytes, 0));
}

TEST_P(CopyBatchTest, AttributesThatAreNotInOrder) {
  const std::vector<std::size_t> bad[] = {{1}, {0, 0}, {0, 2}, {0, SIZE_MAX}};
  const char* const texts[] = {"attrsIndexes[0] is 1; allowed 0",
                               "attrsIndexes[1] is 0; allowed above attrsIndexes[0], which is 0",
                               "attrsIndexes[1] is 2", "attrsIndexes[1] is 1844674407370955161"};
  for (std::size_t i = 0; i < std::size(bad); ++i) {
    Batch batch = Good();
    batch.indexes = bad[i];
    batch.attrs.resize(bad[i].size(), batch.attrs[0]);
    ExpectBatchRefused(batch, 107000, kNoEntry, texts[i]);
  }
  Batch batch = Good();
  batch.indexes = {0, 1, 2};
  batch.attrs.resize(3, batch.attrs[0]);
  ExpectBatchRefused(batch, 107000, kNoEntry,
                     "numAttrs is 3; allowed up to numBatches, which is 2");
}

TEST_P(CopyBatchTest, OneBadEntryStopsAll) {
  Block gone(64);
  void* const freed = gone.Release();
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  struct {
    void* dst;
    std::size_t dest_max;
    void* src;
    std::size_t size;
    int code;
    const char* text;
  } const cases[] = {
      {nullptr, 8, host_.data(), 8, 100000, "entry 2: dst is null"},
      {dst_.At(0), 8, nullptr, 8, 100000, "entry 2: src is null"},
      {dst_.At(0), 7, host_.data(), 8, 107000, "entry 2: count is 8; allowed up to destMax"},
      {dst_.At(0), 0, host_.data(), 8, 107000, "entry 2: count is 8; allowed up to destMax"},
      {dst_.At(250), 8, host_.data(), 8, 107000, "entry 2: dst is "},
      {freed, 8, host_.data(), 8, 107000, "freed by aclrtFree"},
      {dst_.At(0), 8, dst_.At(100), 8, 107000, "allowed memory of the host, as attrs[0].srcLoc"},
      {host_.data(), 8, host_.data() + 8, 8, 107000,
       "allowed memory of device 0, as attrs[0].dstLoc says"},
      {dst_.At(0), SIZE_MAX, host_.data(), SIZE_MAX, 107000, "entry 2: dst is "},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    Batch batch = Good();
    batch.Add(c.dst, c.dest_max, c.src, c.size);
    batch.Add(dst_.At(32), host_.data(), 8);
    ExpectBatchRefused(batch, c.code, 2, c.text);
  }
}

TEST_P(CopyBatchTest, PlacesThatAreNone) {
  for (const int type : {2, 3, 4, -1, 99}) {
    Batch batch = Good();
    batch.Says({0, static_cast<aclrtMemLocationType>(type)}, kHost);
    batch.Add(dst_.At(32), host_.data(), 8);
    ExpectBatchRefused(batch, 107000, 2,
                       "entry 2: attrs[1].dstLoc.type is " + std::to_string(type));
  }
  Batch batch = Good();
  batch.attrs[0].dstLoc.id = 1;
  ExpectBatchRefused(batch, 107000, 0, "allowed memory of device 1, as attrs[0].dstLoc says");
  batch = Good();
  batch.attrs[0].dstLoc.id = 0xFFFFFFFF;  // not device -1
  ExpectBatchRefused(batch, 107000, 0, "allowed memory of device 4294967295");
  batch = Good();
  batch.attrs[0].srcLoc.id = 77;  // of no account for the host
  EXPECT_EQ(Copy(batch), ACL_SUCCESS);
}

TEST_P(CopyBatchTest, FromHostToHost) {
  Bytes to(16);
  Batch batch = Good();
  batch.Says(kHost, kHost);
  batch.Add(to.data(), host_.data(), 16);
  if (InStream()) {
    ExpectBatchRefused(batch, 207000, 2, "entry 2: dst and src are both memory of the host");
    EXPECT_EQ(to, Bytes(16, 0));
  } else {
    ASSERT_EQ(Copy(batch), ACL_SUCCESS);
    EXPECT_EQ(to, Bytes(host_.begin(), host_.begin() + 16));
  }
}

TEST_P(CopyBatchTest, AThreadWithoutAContext) {
  std::thread([this] {
    Batch batch = Good();
    ExpectRefused(Copy(batch), 107002, "context");
    EXPECT_EQ(fail_index_, HasFailIndex() ? kNoEntry : kUntouched);
  }).join();
}

TEST_P(CopyBatchTest, AcrossMappings) {
  const OwnPhysical memory(2);
  OwnAddresses addresses(2);
  addresses.Map(0, 1, memory, 1);
  addresses.Map(1, 1, memory, 0);
  Batch batch;
  batch.Says(kDevice, kHost);
  batch.Add(addresses.At(1) - 20, host_.data(), 40);
  batch.Says(kDevice, kDevice);
  batch.Add(dst_.At(0), addresses.At(1) - 20, 40);
  ASSERT_EQ(Copy(batch), ACL_SUCCESS) << TakeMessages();
  EXPECT_EQ(dst_.Read(40), Bytes(host_.begin(), host_.begin() + 40));
}

TEST_P(CopyBatchTest, ManyEntries) {
  constexpr std::size_t kCount = 3000;
  const Bytes bytes = SomeBytes(kCount, 9);
  const Block block(Bytes(kCount, 0));
  Bytes source = bytes;
  Batch batch;
  batch.Says(kDevice, kHost);
  for (std::size_t i = 0; i < kCount; ++i) batch.Add(block.At(i), source.data() + i, 1);
  ASSERT_EQ(Copy(batch), ACL_SUCCESS);
  EXPECT_EQ(block.Read(kCount), bytes);
}

class CopyBatchStream : public DeviceTest {};

TEST_F(CopyBatchStream, ABatchInAStreamWaitsItsTurnAndHoldsItsBlocks) {
  const OwnStream stream;
  void* locked = nullptr;
  ASSERT_EQ(aclrtMallocHost(&locked, 64), ACL_SUCCESS);
  std::memset(locked, 0x42, 64);
  Block source(Bytes(64, 0x17));
  const Block target(Bytes(128, 0));
  Batch batch;
  batch.Says(kDevice, kHost);
  batch.Add(target.At(0), locked, 64);
  batch.Says(kDevice, kDevice);
  batch.Add(target.At(64), source.get(), 64);
  std::size_t fail_index = 5;
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemcpyBatchAsync(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                  batch.sizes.data(), 2, batch.attrs.data(), batch.indexes.data(),
                                  2, &fail_index, stream),
            ACL_SUCCESS);
  batch = Batch();  // the arrays are the caller's again
  ASSERT_EQ(aclrtFreeHost(locked), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(source.Release()), ACL_SUCCESS);
  const Block other(Bytes(64, 0xEE));
  EXPECT_EQ(target.Read(128), Bytes(128, 0));
  blocker.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  Bytes expected(128, 0x17);
  std::fill_n(expected.begin(), 64, 0x42);
  EXPECT_EQ(target.Read(128), expected);
  EXPECT_EQ(fail_index, 5U);
}

TEST_F(CopyBatchStream, ABatchForWhatIsNoStream) {
  const Block block(Bytes(8, 0));
  Bytes host(8, 1);
  OwnStream own;
  const aclrtStream stale = own.Release();
  ASSERT_EQ(aclrtDestroyStream(stale), ACL_SUCCESS);
  Batch batch;
  batch.Says(kDevice, kHost);
  batch.Add(block.get(), host.data(), 8);
  std::size_t fail_index = 5;
  ExpectRefused(aclrtMemcpyBatchAsync(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                      batch.sizes.data(), 1, batch.attrs.data(),
                                      batch.indexes.data(), 1, &fail_index, stale),
                107017, "a stream that is already destroyed");
  EXPECT_EQ(fail_index, kNoEntry);
  EXPECT_EQ(block.Read(8), Bytes(8, 0));
}

}  // namespace
}  // namespace belay::test
