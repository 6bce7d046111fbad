// What the ATB examples share: checking calls, moving small matrices to the device and back, and
// the calls from Setup to the synchronise.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "acl/acl.h"
#include "atb/atb_infer.h"

// Ends the program when a call fails.
#define CHECK(call)                                                            \
  do {                                                                         \
    const int error = (call);                                                  \
    if (error != 0) {                                                          \
      const char* text = aclGetRecentErrMsg();                                 \
      std::printf("%s returned %d: %s\n", #call, error, text ? text : "none"); \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

// A tensor on the device, filled from host elements.
template <class T>
atb::Tensor ToDevice(aclDataType dtype, std::initializer_list<int64_t> shape,
                     const std::vector<T>& elements) {
  atb::Tensor tensor;
  tensor.desc.dtype = dtype;
  tensor.desc.format = ACL_FORMAT_ND;
  tensor.desc.shape.dimNum = shape.size();
  size_t i = 0;
  for (const int64_t size : shape) tensor.desc.shape.dims[i++] = size;
  tensor.dataSize = atb::Utils::GetTensorSize(tensor);
  CHECK(aclrtMalloc(&tensor.deviceData, tensor.dataSize, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(tensor.deviceData, tensor.dataSize, elements.data(),
                    elements.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
  return tensor;
}

template <class T>
std::vector<T> ToHost(const atb::Tensor& tensor) {
  std::vector<T> elements(tensor.dataSize / sizeof(T));
  CHECK(aclrtMemcpy(elements.data(), tensor.dataSize, tensor.deviceData, tensor.dataSize,
                    ACL_MEMCPY_DEVICE_TO_HOST));
  return elements;
}

inline atb::Tensor HalfToDevice(std::initializer_list<int64_t> shape,
                                const std::vector<float>& values) {
  std::vector<aclFloat16> halves;
  for (const float value : values) halves.push_back(aclFloatToFloat16(value));
  return ToDevice(ACL_FLOAT16, shape, halves);
}

inline std::vector<float> HalfToHost(const atb::Tensor& tensor) {
  std::vector<float> values;
  for (const aclFloat16 half : ToHost<aclFloat16>(tensor))
    values.push_back(aclFloat16ToFloat(half));
  return values;
}

inline void Print(const std::vector<float>& values, size_t columns) {
  for (size_t i = 0; i < values.size(); ++i) {
    std::printf("%4g%s", values[i], (i + 1) % columns == 0 ? "\n" : "");
  }
}

// A device, a stream and an ATB context with it.
struct Session {
  aclrtStream stream = nullptr;
  atb::Context* context = nullptr;

  Session() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    CHECK(atb::CreateContext(&context));
    CHECK(context->SetExecuteStream(stream));
  }
  ~Session() {
    CHECK(atb::DestroyContext(context));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }

  // Setup, workspace, Execute, synchronise; returns what the synchronise says.
  aclError Run(atb::Operation* operation, const atb::VariantPack& pack) {
    uint64_t workspaceSize = 0;
    CHECK(operation->Setup(pack, workspaceSize, context));
    void* workspace = nullptr;
    if (workspaceSize != 0) {
      CHECK(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    CHECK(operation->Execute(pack, static_cast<uint8_t*>(workspace), workspaceSize, context));
    const aclError error = aclrtSynchronizeStream(stream);
    if (workspace != nullptr) CHECK(aclrtFree(workspace));
    return error;
  }
};
