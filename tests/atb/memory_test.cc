// Which memory the tensors of a launch may lie in, when it is checked, and that a queued launch
// keeps what it needs.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "support/atb_test.h"
#include "support/virtual_memory.h"

namespace belay::test {
namespace {

class AtbMemoryTest : public AtbTest, public testing::WithParamInterface<Kind> {
 protected:
  void ExpectAddressRefused(const Sample& sample, const atb::VariantPack& pack,
                            const std::unique_ptr<Block>& workspace, const std::string& name,
                            const std::string& text) {
    const std::vector<float> before = sample.Result();
    ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_TENSOR_ADDR,
                  sample.message_name + ": Execute: " + name + " ", text);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(sample.Result(), before);
  }
};
INSTANTIATE_TEST_SUITE_P(, AtbMemoryTest, testing::ValuesIn(kKinds),
                         testing::PrintToStringParamName());

TEST_P(AtbMemoryTest, EachTensorMustBeLiveDeviceMemory) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  const std::unique_ptr<void, decltype(&std::free)> heap(std::malloc(4096), &std::free);
  void* locked = nullptr;
  ASSERT_EQ(aclrtMallocHost(&locked, 4096), ACL_SUCCESS);
  const Block end(64);
  Block gone(64);
  void* const freed = gone.Release();
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  struct {
    const char* what;
    void* address;
    const char* text;
  } const cases[] = {
      {"malloc", heap.get(), "host memory that no aclrtMalloc or aclrtMallocHost gave out"},
      {"aclrtMallocHost", locked, "page-locked host memory from aclrtMallocHost"},
      {"freed", freed, "that was freed by aclrtFree (call "},
      {"past its end", end.At(62), "more than the block has there"},
      {"nowhere", reinterpret_cast<void*>(0x40), "host memory"},
      {"wraps", reinterpret_cast<void*>(~std::uintptr_t{0}), "wraps"},
  };
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    for (const auto& c : cases) {
      SCOPED_TRACE(sample.names[i] + " " + c.what);
      atb::VariantPack pack = sample.pack;
      if (Sample::At(pack, i).dataSize <= 2 && c.address == end.At(62)) continue;  // it fits
      Sample::At(pack, i).deviceData = c.address;
      ExpectAddressRefused(sample, pack, workspace, sample.names[i], c.text);
    }
    // hostData does not stand in for deviceData, whatever it points to.
    atb::VariantPack pack = sample.pack;
    Sample::At(pack, i).hostData = std::exchange(Sample::At(pack, i).deviceData, nullptr);
    ExpectAddressRefused(sample, pack, workspace, sample.names[i], "is without a device address");
  }
  EXPECT_EQ(aclrtFreeHost(locked), ACL_SUCCESS);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(AtbMemoryTest, InputsComeBeforeOutputsAndTheWorkspace) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  alignas(64) uint8_t host[512] = {};
  atb::VariantPack pack = sample.pack;
  for (std::size_t i = sample.names.size(); i-- > 0;) {
    Sample::At(pack, i).deviceData = host;
    ExpectRefused(sample.operation->Execute(pack, host, 512, context_),
                  atb::ERROR_INVALID_TENSOR_ADDR, ": Execute: " + sample.names[i] + " ");
  }
}

TEST_P(AtbMemoryTest, RegisteredHostMemoryIsAllowed) {
  Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  const std::size_t bytes = sample.result().get().dataSize;
  const std::unique_ptr<void, decltype(&std::free)> host(std::aligned_alloc(4096, 4096),
                                                         &std::free);
  const Halves start = sample.result().Read<aclFloat16>();
  std::memcpy(host.get(), start.data(), bytes);
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegister(host.get(), 4096, ACL_HOST_REGISTER_MAPPED, &device), ACL_SUCCESS);
  atb::VariantPack pack = sample.pack;
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    atb::Tensor& tensor = Sample::At(pack, i);
    if (tensor.deviceData == sample.result().address()) tensor.deviceData = device;
  }
  EXPECT_EQ(Execute(sample.operation, pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  Halves result(start.size());
  std::memcpy(result.data(), host.get(), bytes);
  EXPECT_EQ(ToFloats(result), sample.expected);
  ASSERT_EQ(aclrtHostUnregister(host.get()), ACL_SUCCESS);
  ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_TENSOR_ADDR,
                "host memory");
}

TEST_P(AtbMemoryTest, MemoryMayLieInTheMiddleOfABlock) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  const Block block(4096);
  atb::VariantPack pack = sample.pack;
  for (std::size_t i = 0; i < sample.tensors.size(); ++i) {
    const atb::Tensor& from = sample.tensors[i]->get();
    void* const to = block.At(256 * i + 2);  // not even aligned
    ASSERT_EQ(
        aclrtMemcpy(to, from.dataSize, from.deviceData, from.dataSize, ACL_MEMCPY_DEVICE_TO_DEVICE),
        ACL_SUCCESS);
    for (std::size_t k = 0; k < sample.names.size(); ++k) {
      atb::Tensor& tensor = Sample::At(pack, k);
      if (tensor.deviceData == from.deviceData) tensor.deviceData = to;
    }
  }
  EXPECT_EQ(Execute(sample.operation, pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  const Bytes all = block.Read(4096);
  const std::size_t place = &sample.result() == sample.tensors[0].get() ? 2 : 258;
  Halves result(sample.expected.size());
  std::memcpy(result.data(), all.data() + place, 2 * result.size());
  EXPECT_EQ(ToFloats(result), sample.expected);
}

TEST_P(AtbMemoryTest, TensorsMayLieAcrossMappingsThatAreUnmappedAtOnce) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  const OwnPhysical memory(sample.tensors.size() + 1);
  OwnAddresses addresses(sample.tensors.size() + 1);
  for (std::size_t i = 0; i <= sample.tensors.size(); ++i) addresses.Map(i, 1, memory, i);
  // The same memory at other addresses, to look at it afterwards.
  OwnAddresses view(sample.tensors.size() + 1);
  view.Map(0, sample.tensors.size() + 1, memory);
  atb::VariantPack pack = sample.pack;
  for (std::size_t i = 0; i < sample.tensors.size(); ++i) {
    const atb::Tensor& from = sample.tensors[i]->get();
    void* const to = addresses.At(i + 1) - 2;
    ASSERT_EQ(
        aclrtMemcpy(to, from.dataSize, from.deviceData, from.dataSize, ACL_MEMCPY_DEVICE_TO_DEVICE),
        ACL_SUCCESS);
    for (std::size_t k = 0; k < sample.names.size(); ++k) {
      atb::Tensor& tensor = Sample::At(pack, k);
      if (tensor.deviceData == from.deviceData) tensor.deviceData = to;
    }
  }
  Blocker blocker(stream_);
  ASSERT_EQ(Execute(sample.operation, pack, workspace), atb::NO_ERROR);
  for (std::size_t i = 0; i <= sample.tensors.size(); ++i) addresses.Unmap(i);
  ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_TENSOR_ADDR,
                "freed by aclrtUnmapMem");
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  const std::size_t place = &sample.result() == sample.tensors[0].get() ? 1 : 2;
  Halves result(sample.expected.size());
  ASSERT_EQ(aclrtMemcpy(result.data(), 2 * result.size(), view.At(place) - 2, 2 * result.size(),
                        ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
  EXPECT_EQ(ToFloats(result), sample.expected);
}

TEST_P(AtbMemoryTest, MemoryFreedBetweenPrelaunchAndLaunchIsFound) {
  for (std::size_t i = 0; i <= Sample(GetParam()).tensors.size(); ++i) {
    const Sample sample(GetParam());
    std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
    const bool with_workspace = i == sample.tensors.size();
    if (with_workspace && workspace_bytes_ == 0) continue;
    SCOPED_TRACE(with_workspace ? std::string("workspace") : sample.names[i]);
    ASSERT_EQ(context_->SetExecuteType(atb::EXECUTE_PRELAUNCH), atb::NO_ERROR);
    EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
    EXPECT_EQ(aclrtFree(with_workspace ? workspace->Release() : sample.tensors[i]->Release()),
              ACL_SUCCESS);
    ASSERT_EQ(context_->SetExecuteType(atb::EXECUTE_LAUNCH), atb::NO_ERROR);
    ExpectRefused(sample.operation->Execute({}, nullptr, 0, context_),
                  with_workspace ? atb::ERROR_INVALID_PARAM : atb::ERROR_INVALID_TENSOR_ADDR,
                  with_workspace ? std::string("workspace is") : sample.names[i] + " is",
                  "freed by aclrtFree");
    ASSERT_EQ(context_->SetExecuteType(atb::EXECUTE_NORMAL), atb::NO_ERROR);
  }
}

TEST_P(AtbMemoryTest, EverythingMayBeFreedRightAfterExecute) {
  Sample sample(GetParam());
  std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  std::vector<std::unique_ptr<Block>> junk;
  Blocker blocker(stream_);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  for (const auto& tensor : sample.tensors) {
    if (tensor.get() != &sample.result()) {
      EXPECT_EQ(aclrtFree(tensor->Release()), ACL_SUCCESS);
    }
  }
  workspace.reset();
  EXPECT_EQ(atb::DestroyOperation(sample.operation.Release()), atb::NO_ERROR);
  // What is allocated now is not the memory that the launch still needs.
  for (int i = 0; i < 32; ++i) junk.push_back(std::make_unique<Block>(Bytes(64, 0x77)));
  for (const auto& block : junk) {
    for (const atb::Tensor& tensor : sample.pack.inTensors) {
      EXPECT_NE(block->get(), tensor.deviceData);
    }
  }
  EXPECT_NE(sample.Result(), sample.expected) << "ran although the stream was held";
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
  for (const auto& block : junk) EXPECT_EQ(block->Read(64), Bytes(64, 0x77));
}

TEST_P(AtbMemoryTest, ASetupDoesNotDisturbAQueuedLaunch) {
  const Sample sample(GetParam());
  const Sample other(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  Blocker blocker(stream_);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  const std::unique_ptr<Block> second = Setup(sample.operation, other.pack);
  EXPECT_EQ(Execute(sample.operation, other.pack, second), atb::NO_ERROR);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
  EXPECT_EQ(other.Result(), sample.expected);
}

// Tensor `moved` is placed so that its first byte is the last of tensor `onto`.
TEST_P(AtbMemoryTest, TensorsThatAreWrittenShareNoBytes) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  const std::size_t written = GetParam() == Kind::kRepeat ? 1 : 0;
  const std::size_t count = sample.tensors.size();
  const Block block(4096);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == written) continue;
    const std::size_t written_bytes = sample.tensors[written]->get().dataSize;
    const std::size_t bytes = sample.tensors[i]->get().dataSize;
    struct {
      std::size_t at;
      bool overlaps;
    } const places[] = {{256, true},
                        {256 + written_bytes - 1, true},
                        {256 - bytes + 1, true},
                        {256 + written_bytes, false},
                        {256 - bytes, false}};
    for (const auto& place : places) {
      SCOPED_TRACE(sample.names[i] + " at " + std::to_string(place.at));
      ASSERT_EQ(aclrtMemset(block.get(), 4096, 0, 4096), ACL_SUCCESS);
      atb::VariantPack pack = sample.pack;
      Sample::At(pack, written).deviceData = block.At(256);
      if (count < sample.names.size()) pack.outTensors[0].deviceData = block.At(256);
      Sample::At(pack, i).deviceData = block.At(place.at);
      if (place.overlaps) {
        // For INDEX_ADD the written tensor is called output, which is var.
        const std::string name =
            GetParam() == Kind::kIndexAdd ? sample.names.back() : sample.names[written];
        ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_TENSOR_ADDR,
                      sample.names[i] + " at ", name + " at ", "share bytes", "; allowed");
        EXPECT_EQ(block.Read(4096), Bytes(4096, 0));
      } else {
        EXPECT_EQ(Execute(sample.operation, pack, workspace), atb::NO_ERROR);
      }
      EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    }
  }
}

TEST_F(AtbTest, InputsThatAreOnlyReadMayShareBytes) {
  const OwnOperation operation(IndexAddParam(kAddValid));
  const DeviceTensor var = HalfTensor({3, 1}, {1, 2, 3});
  const DeviceTensor ints = IntTensor({1, 1});  // indices, and its first element their number
  const DeviceTensor updates = HalfTensor({2, 1}, {10, 20});
  atb::Tensor number = ints;
  number.desc = Desc(ACL_INT32, {1});
  number.dataSize = 4;
  EXPECT_EQ(Run(operation, Pack({var, ints, updates, number}, {var})), ACL_SUCCESS);
  EXPECT_EQ(ToFloats(var.Read<aclFloat16>()), (std::vector<float>{1, 12, 3}));
}

TEST_F(AtbTest, TheOutputOfIndexAddIsVar) {
  for (const Kind kind : {Kind::kIndexAdd, Kind::kIndexAddValid}) {
    const Sample sample(kind);
    const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
    const DeviceTensor other = HalfTensor({3, 2}, {0, 0, 0, 0, 0, 0});
    atb::VariantPack pack = sample.pack;
    pack.outTensors[0].deviceData = other.address();
    ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_TENSOR_ADDR,
                  "output is at", "the address of var");
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(sample.Result(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(AtbDevices, MemoryOfAnotherDeviceIsRefused) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "2"}}, [] {
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    const Block far(4096);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    atb::Context* context = nullptr;
    ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
    const OwnStream stream;
    ASSERT_EQ(context->SetExecuteStream(stream), atb::NO_ERROR);
    for (const Kind kind : kKinds) {
      const Sample sample(kind);
      for (std::size_t i = 0; i <= sample.names.size(); ++i) {
        uint64_t size = 0;
        ASSERT_EQ(sample.operation->Setup(sample.pack, size, context), atb::NO_ERROR);
        const Block near(512);
        const bool with_workspace = i == sample.names.size();
        if (with_workspace && size == 0) continue;
        atb::VariantPack pack = sample.pack;
        if (!with_workspace) Sample::At(pack, i).deviceData = far.get();
        void* const workspace = with_workspace ? far.get() : near.get();
        ExpectRefused(
            sample.operation->Execute(pack, static_cast<uint8_t*>(workspace), size, context),
            with_workspace ? atb::ERROR_INVALID_PARAM : atb::ERROR_INVALID_TENSOR_ADDR,
            with_workspace ? std::string("workspace") : sample.names[i], "memory of device 1",
            "allowed memory of device 0");
      }
    }
    EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
  });
}

}  // namespace
}  // namespace belay::test
