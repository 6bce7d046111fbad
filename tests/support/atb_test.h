// What the tests of the ATB API stand on: a device with a stream and a context, tensors made from
// values, one small working example of each operation, and the calls from Setup to the synchronise.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "atb/atb_infer.h"
#include "support/api_test_support.h"
#include "support/device_test.h"

namespace belay::test {

using Shape = std::vector<int64_t>;
using Halves = std::vector<aclFloat16>;

inline Halves ToHalves(const std::vector<float>& values) {
  Halves halves;
  for (const float value : values) halves.push_back(aclFloatToFloat16(value));
  return halves;
}
inline std::vector<float> ToFloats(const Halves& halves) {
  std::vector<float> values;
  for (const aclFloat16 half : halves) values.push_back(aclFloat16ToFloat(half));
  return values;
}

/// More than 8 dimensions are claimed and not written.
inline atb::TensorDesc Desc(aclDataType dtype, const Shape& shape,
                            aclFormat format = ACL_FORMAT_ND) {
  atb::TensorDesc desc{dtype, format, {}};
  std::memset(desc.shape.dims, 0, sizeof desc.shape.dims);
  desc.shape.dimNum = shape.size();
  for (std::size_t i = 0; i < shape.size() && i < atb::MAX_DIM; ++i) desc.shape.dims[i] = shape[i];
  return desc;
}

inline atb::SVector<atb::TensorDesc> Descs(const std::vector<atb::TensorDesc>& descs) {
  atb::SVector<atb::TensorDesc> result;
  for (const atb::TensorDesc& desc : descs) result.push_back(desc);
  return result;
}
inline atb::SVector<atb::TensorDesc> DescsOf(const atb::SVector<atb::Tensor>& tensors) {
  atb::SVector<atb::TensorDesc> result;
  for (const atb::Tensor& tensor : tensors) result.push_back(tensor.desc);
  return result;
}

/// A tensor without memory, as Setup takes it.
inline atb::Tensor Bare(const atb::TensorDesc& desc) { return {desc, nullptr, nullptr, 0}; }

inline atb::VariantPack Pack(const std::vector<atb::Tensor>& inputs,
                             const std::vector<atb::Tensor>& outputs = {}) {
  atb::VariantPack pack;
  for (const atb::Tensor& tensor : inputs) pack.inTensors.push_back(tensor);
  for (const atb::Tensor& tensor : outputs) pack.outTensors.push_back(tensor);
  return pack;
}

/// A tensor in device memory of its own.
class DeviceTensor {
 public:
  template <class T>
  DeviceTensor(aclDataType dtype, const Shape& shape, const std::vector<T>& values)
      : block_(values.size() * sizeof(T)),
        tensor_{Desc(dtype, shape), block_.get(), nullptr, values.size() * sizeof(T)} {
    Write(values);
  }

  operator const atb::Tensor&() const { return tensor_; }  // NOLINT: as packs take it
  [[nodiscard]] const atb::Tensor& get() const { return tensor_; }
  [[nodiscard]] void* address() const { return tensor_.deviceData; }
  /// The test frees the memory itself.
  void* Release() { return block_.Release(); }

  template <class T>
  void Write(const std::vector<T>& values) const {
    EXPECT_EQ(aclrtMemcpy(address(), tensor_.dataSize, values.data(), values.size() * sizeof(T),
                          ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_SUCCESS);
  }
  template <class T>
  [[nodiscard]] std::vector<T> Read() const {
    std::vector<T> values(tensor_.dataSize / sizeof(T));
    EXPECT_EQ(aclrtMemcpy(values.data(), tensor_.dataSize, address(), tensor_.dataSize,
                          ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return values;
  }

 private:
  Block block_;
  atb::Tensor tensor_;
};

inline DeviceTensor HalfTensor(const Shape& shape, const std::vector<float>& values) {
  return {ACL_FLOAT16, shape, ToHalves(values)};
}
inline DeviceTensor IntTensor(const std::vector<int32_t>& values) {
  return {ACL_INT32, {static_cast<int64_t>(values.size())}, values};
}

/// An operation that is destroyed with the test.
class OwnOperation {
 public:
  OwnOperation() = default;
  template <class Param>
  explicit OwnOperation(const Param& param) {
    EXPECT_EQ(atb::CreateOperation(param, &operation_), atb::NO_ERROR);
  }
  OwnOperation(const OwnOperation&) = delete;
  OwnOperation& operator=(const OwnOperation&) = delete;
  OwnOperation(OwnOperation&& other) noexcept : operation_(other.Release()) {}
  OwnOperation& operator=(OwnOperation&& other) noexcept {
    std::swap(operation_, other.operation_);
    return *this;
  }
  ~OwnOperation() { EXPECT_EQ(atb::DestroyOperation(operation_), atb::NO_ERROR); }

  atb::Operation* operator->() const { return operation_; }
  operator atb::Operation*() const { return operation_; }  // NOLINT: as the API takes it
  /// The test destroys it itself.
  atb::Operation* Release() { return std::exchange(operation_, nullptr); }

 private:
  atb::Operation* operation_ = nullptr;
};

inline atb::infer::SetValueParam SetValueParam(const Shape& starts, const Shape& ends,
                                               const Shape& strides) {
  atb::infer::SetValueParam param;
  for (const int64_t entry : starts) param.starts.push_back(entry);
  for (const int64_t entry : ends) param.ends.push_back(entry);
  for (const int64_t entry : strides) param.strides.push_back(entry);
  return param;
}
inline atb::infer::RepeatParam RepeatParam(const Shape& multiples) {
  atb::infer::RepeatParam param;
  for (const int64_t entry : multiples) param.multiples.push_back(entry);
  return param;
}
inline atb::infer::IndexAddParam IndexAddParam(atb::infer::IndexAddParam::IndexType type,
                                               int64_t axis = 0) {
  atb::infer::IndexAddParam param;
  param.indexType = type;
  param.axis = axis;
  return param;
}
inline constexpr auto kAdd = atb::infer::IndexAddParam::INDEX_ADD;
inline constexpr auto kAddValid = atb::infer::IndexAddParam::INDEX_ADD_VALID;

/// The operations that tests of the common flow go through.
enum class Kind : std::uint8_t { kSetValue, kRepeat, kIndexAdd, kIndexAddValid };
inline constexpr Kind kKinds[] = {Kind::kSetValue, Kind::kRepeat, Kind::kIndexAdd,
                                  Kind::kIndexAddValid};

// As ctest names cases.
inline void PrintTo(Kind kind, std::ostream* out) {
  constexpr const char* kNames[] = {"SetValue", "Repeat", "IndexAdd", "IndexAddValid"};
  *out << kNames[static_cast<int>(kind)];
}

/// A small working example of an operation: what it is given, and what it makes of it.
class Sample {
 public:
  explicit Sample(Kind kind) {
    switch (kind) {
      case Kind::kSetValue:
        message_name = "SetValueOperation";
        names = {"dst", "src"};
        operation = OwnOperation(SetValueParam({1, 1}, {3, 3}, {1, 1}));
        Add({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        Add({2, 2}, {50, 51, 52, 53});
        expected = {0, 1, 2, 3, 4, 50, 51, 7, 8, 52, 53, 11};
        break;
      case Kind::kRepeat:
        message_name = "RepeatOperation";
        names = {"x", "y"};
        operation = OwnOperation(RepeatParam({1, 2}));
        Add({2, 2}, {1, 2, 3, 4});
        Add({2, 4}, std::vector<float>(8, -1));
        expected = {1, 2, 1, 2, 3, 4, 3, 4};
        result_ = 1;
        break;
      case Kind::kIndexAdd:
      case Kind::kIndexAddValid:
        message_name = kind == Kind::kIndexAdd ? "IndexAddOperation INDEX_ADD"
                                               : "IndexAddOperation INDEX_ADD_VALID";
        names = {"var", "indices", "updates", kind == Kind::kIndexAdd ? "alpha" : "validIndicesNum",
                 "output"};
        operation = OwnOperation(IndexAddParam(kind == Kind::kIndexAdd ? kAdd : kAddValid));
        Add({3, 2}, {1, 2, 3, 4, 5, 6});
        AddInts({2, 0});
        Add({2, 2}, {10, 20, 30, 40});
        if (kind == Kind::kIndexAdd) {
          Add({1}, {2});
          expected = {61, 82, 3, 4, 25, 46};
        } else {
          AddInts({1});
          expected = {1, 2, 3, 4, 15, 26};
        }
        break;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      (i < operation->GetInputNum() ? pack.inTensors : pack.outTensors).push_back(*tensors[i]);
    }
    if (names.size() > tensors.size()) pack.outTensors.push_back(*tensors[0]);  // output is var
  }

  [[nodiscard]] const DeviceTensor& result() const { return *tensors[result_]; }
  [[nodiscard]] std::vector<float> Result() const { return ToFloats(result().Read<aclFloat16>()); }
  /// Tensor i of the pack, inputs first.
  static atb::Tensor& At(atb::VariantPack& pack, std::size_t i) {
    const std::size_t inputs = pack.inTensors.size();
    return i < inputs ? pack.inTensors[i] : pack.outTensors[i - inputs];
  }

  std::string message_name;
  std::vector<std::string> names;  // of inputs, then outputs
  OwnOperation operation;
  std::vector<std::unique_ptr<DeviceTensor>> tensors;
  atb::VariantPack pack;
  std::vector<float> expected;

 private:
  void Add(const Shape& shape, const std::vector<float>& values) {
    tensors.push_back(std::make_unique<DeviceTensor>(ACL_FLOAT16, shape, ToHalves(values)));
  }
  void AddInts(const std::vector<int32_t>& values) {
    const Shape shape = {static_cast<int64_t>(values.size())};
    tensors.push_back(std::make_unique<DeviceTensor>(ACL_INT32, shape, values));
  }

  std::size_t result_ = 0;
};

/// Device 0, a stream, and a context with that stream.
class AtbTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(atb::CreateContext(&context_), atb::NO_ERROR);
    ASSERT_EQ(context_->SetExecuteStream(stream_), atb::NO_ERROR);
  }
  void TearDown() override {
    EXPECT_EQ(context_->SetExecuteType(atb::EXECUTE_NORMAL), atb::NO_ERROR);
    EXPECT_EQ(atb::DestroyContext(context_), atb::NO_ERROR);
    if (stream_ != nullptr) {
      EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    }
    DeviceTest::TearDown();
  }

  /// Setup, and device memory as large as it asked for.
  std::unique_ptr<Block> Setup(atb::Operation* operation, const atb::VariantPack& pack) {
    workspace_bytes_ = 0;
    EXPECT_EQ(operation->Setup(pack, workspace_bytes_, context_), atb::NO_ERROR);
    return std::make_unique<Block>(workspace_bytes_ == 0 ? 32 : workspace_bytes_);
  }
  atb::Status Execute(atb::Operation* operation, const atb::VariantPack& pack,
                      const std::unique_ptr<Block>& workspace) {
    return operation->Execute(pack, static_cast<uint8_t*>(workspace->get()), workspace_bytes_,
                              context_);
  }
  /// From Setup to the synchronise, whose code is returned.
  aclError Run(atb::Operation* operation, const atb::VariantPack& pack) {
    const std::unique_ptr<Block> workspace = Setup(operation, pack);
    EXPECT_EQ(Execute(operation, pack, workspace), atb::NO_ERROR);
    return aclrtSynchronizeStream(stream_);
  }

  aclrtStream stream_ = nullptr;
  atb::Context* context_ = nullptr;
  uint64_t workspace_bytes_ = 0;  // what the last Setup asked for
};

}  // namespace belay::test
