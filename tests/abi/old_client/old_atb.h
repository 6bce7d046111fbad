// The ATB types as programs have them that were built with released headers: the layouts and
// virtual tables, and an SVector with the inline behaviour of those headers, quirks included. A
// program includes either this file or the headers under include/atb, never both.
#ifndef BELAY_TESTS_ABI_OLD_CLIENT_OLD_ATB_H_
#define BELAY_TESTS_ABI_OLD_CLIENT_OLD_ATB_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"

namespace atb {

constexpr std::size_t MAX_SVECTOR_SIZE = 256;
constexpr std::size_t DEFAULT_SVECTOR_SIZE = 64;

struct MaxSizeExceeded : public std::exception {};

template <class T>
class SVector {
 public:
  constexpr SVector() : storage_() {}

  // Quirk: of a list that needs the heap nothing is copied, and the size stays 0.
  SVector(std::initializer_list<T> list) {  // NOLINT(google-explicit-constructor)
    Limit(list.size());
    if (list.size() > DEFAULT_SVECTOR_SIZE) {
      heap_ = Allocate(MAX_SVECTOR_SIZE);
      capacity_ = MAX_SVECTOR_SIZE;
      return;
    }
    for (const T& element : list) {
      storage_[size_++] = element;
    }
  }

  explicit SVector(std::size_t count, const T& value = 0) {
    Limit(count);
    if (count > DEFAULT_SVECTOR_SIZE) {
      heap_ = Allocate(MAX_SVECTOR_SIZE);
      capacity_ = MAX_SVECTOR_SIZE;
    }
    for (; size_ < count; ++size_) {
      data()[size_] = value;
    }
  }

  // Quirks: a block without room, and a capacity of 0. Inline slots behind the elements keep what
  // the memory held.
  SVector(const SVector& other) : size_(other.size_) {
    if (other.heap_ != nullptr) {
      heap_ = Allocate(size_);
    }
    Copy(other);
  }

  ~SVector() { std::free(heap_); }

  // Quirks: a block of the list's size with a capacity of 256; a block that is there stays.
  SVector& operator=(std::initializer_list<T> list) {
    Limit(list.size());
    if (list.size() > DEFAULT_SVECTOR_SIZE) {
      if (heap_ == nullptr) {
        heap_ = Allocate(list.size());
      }
      capacity_ = MAX_SVECTOR_SIZE;
    }
    size_ = 0;
    for (const T& element : list) {
      data()[size_++] = element;
    }
    return *this;
  }

  // Quirk: a block of the elements' size with the capacity of the other vector.
  SVector& operator=(const SVector& other) {
    if (this != &other) {
      std::free(heap_);
      heap_ = nullptr;
      capacity_ = other.capacity_;
      size_ = other.size_;
      if (other.heap_ != nullptr) {
        heap_ = Allocate(size_);
      }
      Copy(other);
    }
    return *this;
  }

  void push_back(const T& value) {
    if (heap_ != nullptr ? size_ == capacity_ : false) {
      throw MaxSizeExceeded();
    }
    if (heap_ == nullptr && size_ == DEFAULT_SVECTOR_SIZE) {
      MoveToHeap();
    }
    data()[size_++] = value;
  }

  T* begin() noexcept { return data(); }
  const T* begin() const noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* end() const noexcept { return data() + size_; }
  T* data() noexcept { return heap_ != nullptr ? heap_ : storage_; }
  const T* data() const noexcept { return heap_ != nullptr ? heap_ : storage_; }

  T& operator[](std::size_t i) {
    Check(i);
    return data()[i];
  }
  const T& operator[](std::size_t i) const {
    Check(i);
    return data()[i];
  }
  T& at(std::size_t i) { return (*this)[i]; }
  const T& at(std::size_t i) const { return (*this)[i]; }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  void clear() noexcept { size_ = 0; }

  void resize(std::size_t count) {
    if (count > MAX_SVECTOR_SIZE || (heap_ != nullptr && count > capacity_)) {
      throw MaxSizeExceeded();
    }
    if (heap_ == nullptr && count > DEFAULT_SVECTOR_SIZE) {
      MoveToHeap();
    }
    size_ = count;
  }

  // Quirks: the elements are lost, and the size may exceed the capacity afterwards.
  void reserve(std::size_t count) {
    Limit(count);
    if (count <= DEFAULT_SVECTOR_SIZE) {
      return;
    }
    std::free(heap_);
    heap_ = nullptr;
    heap_ = Allocate(count);
    capacity_ = count;
    for (std::size_t i = 0; i < count; ++i) {
      heap_[i] = T{};
    }
  }

  // Quirk: an inline vector is compared with the inline slots of the other, whether used or not.
  bool operator==(const SVector& other) const {
    if (size_ != other.size_ || (heap_ != nullptr && other.heap_ == nullptr)) {
      return false;
    }
    const T* const right = heap_ != nullptr ? other.heap_ : other.storage_;
    for (std::size_t i = 0; i < size_; ++i) {
      if (data()[i] != right[i]) {
        return false;
      }
    }
    return true;
  }
  bool operator!=(const SVector& other) const { return !(*this == other); }

  std::size_t Capacity() const { return capacity_; }
  bool IsOnHeap() const { return heap_ != nullptr; }

 private:
  static void Limit(std::size_t count) {
    if (count > MAX_SVECTOR_SIZE) {
      throw MaxSizeExceeded();
    }
  }

  static T* Allocate(std::size_t count) {
    void* const block = std::malloc(count * sizeof(T));
    if (block == nullptr) {
      throw std::bad_alloc();
    }
    return static_cast<T*>(block);
  }

  void Check(std::size_t i) const {
    if (i >= size_ || (heap_ == nullptr && i >= DEFAULT_SVECTOR_SIZE)) {
      throw std::out_of_range("out of range");
    }
  }

  void Copy(const SVector& other) {
    for (std::size_t i = 0; i < size_; ++i) {
      data()[i] = other.data()[i];
    }
  }

  void MoveToHeap() {
    T* const block = Allocate(MAX_SVECTOR_SIZE);
    for (std::size_t i = 0; i < size_; ++i) {
      block[i] = storage_[i];
    }
    heap_ = block;
    capacity_ = MAX_SVECTOR_SIZE;
  }

  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  T storage_[DEFAULT_SVECTOR_SIZE + 1];
  T* heap_ = nullptr;
};

using Status = int32_t;

enum ErrorType : int {
  NO_ERROR = 0,
  ERROR_INVALID_PARAM = 1,
  ERROR_INVALID_IN_TENSOR_NUM = 5,
  ERROR_INVALID_TENSOR_DIM = 8,
  ERROR_INVALID_TENSOR_INI_MATCH = 13,
};

struct Dims {
  int64_t dims[8];
  uint64_t dimNum = 0;
};

struct TensorDesc {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  Dims shape;
};

struct Tensor {
  TensorDesc desc;
  void* deviceData = nullptr;
  void* hostData = nullptr;
  uint64_t dataSize = 0;
};

struct VariantPack {
  SVector<Tensor> inTensors;
  SVector<Tensor> outTensors;
};

enum ExecuteType : int { EXECUTE_NORMAL = 0, EXECUTE_PRELAUNCH, EXECUTE_LAUNCH };
enum LaunchMode : int { KERNEL_LAUNCH_MODE = 0, GRAPH_LAUNCH_MODE };

class Context {
 public:
  Context() = default;
  virtual ~Context() = default;
  virtual Status SetExecuteStream(aclrtStream stream) = 0;
  virtual aclrtStream GetExecuteStream() const = 0;
  virtual Status SetAsyncTilingCopyStatus(bool enable) = 0;
  virtual bool GetAsyncTilingCopyStatus() const = 0;
  virtual Status SetExecuteStreams(const std::vector<aclrtStream>& streams) = 0;
  virtual std::vector<aclrtStream> GetExecuteStreams() = 0;
  virtual Status SetExecuteType(ExecuteType type) = 0;
  virtual ExecuteType GetExecuteType() = 0;
  virtual Status SetLaunchMode(LaunchMode mode) = 0;
  virtual LaunchMode GetLaunchMode() = 0;
};

Status CreateContext(Context** context);
Status CreateContext(Context** context, const std::function<void*(size_t)>& alloc,
                     const std::function<void(void*)>& dealloc);
Status CreateContext(Context** context, uint32_t hostTilingBlockNum, uint32_t deviceTilingBlockNum);
Status DestroyContext(Context* context);

class Operation {
 public:
  Operation() = default;
  virtual ~Operation() = default;
  virtual std::string GetName() const = 0;
  virtual Status InferShape(const SVector<TensorDesc>& inTensorDescs,
                            SVector<TensorDesc>& outTensorDescs) const = 0;
  virtual uint32_t GetInputNum() const = 0;
  virtual uint32_t GetOutputNum() const = 0;
  virtual Status Setup(const VariantPack& variantPack, uint64_t& workspaceSize,
                       Context* context) = 0;
  virtual Status Execute(const VariantPack& variantPack, uint8_t* workspace, uint64_t workspaceSize,
                         Context* context) = 0;
};

template <typename OpParam>
Status CreateOperation(const OpParam& opParam, Operation** operation);
Status DestroyOperation(Operation* operation);
Status SetExecuteStreamId(Operation* operation, uint32_t streamId);
uint32_t GetExecuteStreamId(Operation* operation);

class Utils {
 public:
  static std::string GetAtbVersion();
  static uint64_t GetTensorSize(const Tensor& tensor);
  static uint64_t GetTensorSize(const TensorDesc& tensorDesc);
  static uint64_t GetTensorNumel(const Tensor& tensor);
  static uint64_t GetTensorNumel(const TensorDesc& tensorDesc);
  static void QuantParamConvert(const float* src, uint64_t* dest, uint64_t itemCount);
};

namespace infer {

struct RepeatParam {
  SVector<int64_t> multiples;
  uint8_t rsv[8] = {0};
};

struct SetValueParam {
  SVector<int64_t> starts;
  SVector<int64_t> ends;
  SVector<int64_t> strides;
  uint8_t rsv[8] = {0};
};

struct IndexAddParam {
  enum IndexType { INDEX_UNDEFINED = 0, INDEX_ADD, INDEX_ADD_VALID };
  IndexType indexType = INDEX_UNDEFINED;
  int64_t axis = 0;
  uint8_t rsv[16] = {0};
};

}  // namespace infer
}  // namespace atb

#endif  // BELAY_TESTS_ABI_OLD_CLIENT_OLD_ATB_H_
