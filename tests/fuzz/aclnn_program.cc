#include "fuzz/aclnn_program.h"

#include <algorithm>
#include <limits>

#include "opdev/op_errno.h"

namespace belay::fuzz {
namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

bool IsKnown(aclnnStatus status) {
  constexpr aclnnStatus kAllowed[] = {
      ACLNN_SUCCESS,           ACLNN_ERR_PARAM_NULLPTR,      ACLNN_ERR_PARAM_INVALID,
      ACLNN_ERR_RUNTIME_ERROR, ACLNN_ERR_INNER_TILING_ERROR, ACLNN_ERR_INNER_NULLPTR};
  return std::find(std::begin(kAllowed), std::end(kAllowed), status) != std::end(kAllowed);
}

// A refusal comes with its reason.
void CheckStatus(aclnnStatus status) {
  FUZZ_CHECK(IsKnown(status));
  const char* const message = aclGetRecentErrMsg();
  FUZZ_CHECK(status == ACLNN_SUCCESS || (message != nullptr && *message != '\0'));
}

std::size_t ItemSize(aclDataType dtype) { return aclDataTypeSize(dtype); }

}  // namespace

void AclnnProgram::Run() {
  FUZZ_CHECK(aclrtSetDevice(0) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtCreateStream(&stream_) == ACL_SUCCESS);
  void* block = nullptr;
  FUZZ_CHECK(aclrtMalloc(&block, kArenaBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  arena_ = static_cast<std::byte*>(block);
  FUZZ_CHECK(aclrtMemset(block, kArenaBytes, 1, kArenaBytes) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtMalloc(&freed_, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtFree(freed_) == ACL_SUCCESS);
  for (std::size_t step = 0; step < kMaxSteps && !input_.empty(); ++step) Step();
  End();
}

void AclnnProgram::Step() {
  switch (input_.Below(12)) {
    case 0:
      return StepTensor();
    case 1:
      return StepGetters();
    case 2:
      return StepValues();
    case 3:
      return StepLists();
    case 4:
      return StepExecutor();
    case 5:
      return StepPhaseTwo();
    default:
      return StepCall();
  }
}

// Mostly a right one; else null, another kind's, or an invented number.
template <class Object>
Object* AclnnProgram::TakeObject(const std::vector<Object*>& objects) {
  const std::size_t choice = input_.Below(12);
  if (choice == 0) return nullptr;
  if (choice == 1) return reinterpret_cast<Object*>(input_.Take<std::uint64_t>());
  if (choice == 2 && !tensors_.empty()) {
    return reinterpret_cast<Object*>(tensors_[input_.Below(tensors_.size())]);
  }
  if (choice == 3 && !executors_.empty()) {
    return reinterpret_cast<Object*>(executors_[input_.Below(executors_.size())].handle);
  }
  return objects.empty() ? nullptr : objects[input_.Below(objects.size())];
}

std::int64_t AclnnProgram::TakeNumber() {
  switch (input_.Below(8)) {
    case 0:
      return input_.Take<std::int64_t>();
    case 1:
      return kHuge - input_.Take<std::uint8_t>();
    case 2:
      return -std::int64_t{input_.Take<std::uint8_t>()};
    default:
      return static_cast<std::int64_t>(input_.Below(9));
  }
}

void* AclnnProgram::TakeAddress() {
  static std::array<std::byte, 256> host;
  switch (input_.Below(16)) {
    case 0:
      return nullptr;
    case 1:
      return host.data();
    case 2:
      return freed_;
    case 3:
      return reinterpret_cast<void*>(input_.Take<std::uint64_t>());
    default:
      return arena_ + input_.Take<std::uint16_t>() / 16 * 16;
  }
}

// A view of the plan's shape somewhere in the arena: without gaps, with padding, with dimensions
// changed in their order, expanded, or with any strides.
aclTensor* AclnnProgram::MakeTensor(const TensorPlan& plan) {
  std::vector<std::int64_t> strides(plan.dims.size());
  std::vector<std::size_t> order(plan.dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::size_t form = input_.Below(8);
  if (form == 1 && order.size() > 1) std::swap(order[0], order[input_.Below(order.size())]);
  const std::uint64_t padding = form == 2 ? input_.Below(4) : 0;
  std::uint64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(plan.dims[order[i]]) + padding;
  }
  if (form == 3 && !strides.empty()) strides[input_.Below(strides.size())] = 0;
  if (form == 4 && !strides.empty()) strides[input_.Below(strides.size())] = TakeNumber();
  const std::int64_t offset = form == 5 ? TakeNumber() : 0;
  void* const address = TakeAddress();
  const bool wants_null_strides = form == 6;
  aclTensor* const tensor = aclCreateTensor(plan.dims.data(), plan.dims.size(), plan.dtype,
                                            wants_null_strides ? nullptr : strides.data(), offset,
                                            input_.Below(32) == 0 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND,
                                            plan.dims.data(), plan.dims.size(), address);
  FUZZ_CHECK(tensor != nullptr);
  tensors_.push_back(tensor);
  // Indices are mostly good, or few calls would go far.
  auto* const at = static_cast<std::byte*>(address);
  if (plan.holds_indices && at >= arena_ && at < arena_ + kArenaBytes / 2) {
    for (std::size_t i = 0; i < 64; ++i) {
      const bool bad = input_.Below(64) == 63;
      const std::int64_t index =
          bad ? TakeNumber()
              : static_cast<std::int64_t>(input_.Below(8)) % std::max<std::int64_t>(plan.limit, 1);
      const std::size_t bytes = ItemSize(plan.dtype);
      FUZZ_CHECK(aclrtMemcpy(at + i * bytes, bytes, &index, bytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
                 ACL_SUCCESS);
      if (input_.empty()) break;
    }
  }
  return tensor;
}

aclIntArray* AclnnProgram::MakeArray(const std::vector<std::int64_t>& values) {
  aclIntArray* const array = aclCreateIntArray(values.data(), values.size());
  FUZZ_CHECK(array != nullptr);
  arrays_.push_back(array);
  return array;
}

void AclnnProgram::StepTensor() {
  std::vector<std::int64_t> dims(input_.Below(11));
  for (std::int64_t& size : dims) size = TakeNumber();
  switch (input_.Below(4)) {
    case 0:
      (void)MakeTensor({static_cast<aclDataType>(input_.Below(48)), dims});
      return;
    case 1:
      return CheckStatus(aclDestroyTensor(TakeObject(tensors_)));
    case 2:
      return CheckStatus(aclSetRawTensorAddr(TakeObject(tensors_), TakeAddress()));
    default:
      return CheckStatus(aclInitTensor(TakeObject(tensors_), dims.data(), dims.size(), ACL_FLOAT16,
                                       input_.Below(2) == 0 ? nullptr : dims.data(), TakeNumber(),
                                       ACL_FORMAT_ND, dims.data(), dims.size(), TakeAddress()));
  }
}

void AclnnProgram::StepGetters() {
  const aclTensor* const tensor = TakeObject(tensors_);
  int64_t* values = nullptr;
  uint64_t count = 0;
  for (const auto getter : {aclGetViewShape, aclGetStorageShape, aclGetViewStrides}) {
    const aclnnStatus status = getter(tensor, &values, &count);
    CheckStatus(status);
    FUZZ_CHECK((status == ACLNN_SUCCESS) == (values != nullptr));
    delete[] values;
    values = nullptr;
  }
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_ND;
  aclDataType dtype = ACL_FLOAT;
  void* address = nullptr;
  CheckStatus(aclGetViewOffset(tensor, &offset));
  CheckStatus(aclGetFormat(tensor, &format));
  CheckStatus(aclGetDataType(tensor, &dtype));
  CheckStatus(aclGetRawTensorAddr(tensor, &address));
}

void AclnnProgram::StepValues() {
  std::vector<std::int64_t> values(input_.Below(10));
  for (std::int64_t& value : values) value = TakeNumber();
  uint64_t size = 0;
  switch (input_.Below(5)) {
    case 0:
      (void)MakeArray(values);
      return;
    case 1:
      return CheckStatus(aclDestroyIntArray(TakeObject(arrays_)));
    case 2:
      return CheckStatus(aclGetIntArraySize(TakeObject(arrays_), &size));
    case 3: {
      alignas(16) std::array<std::uint64_t, 2> value = {input_.Take<std::uint64_t>(), 0};
      scalars_.push_back(aclCreateScalar(value.data(), static_cast<aclDataType>(input_.Below(48))));
      FUZZ_CHECK(scalars_.back() != nullptr);
      return;
    }
    default:
      return CheckStatus(aclDestroyScalar(TakeObject(scalars_)));
  }
}

void AclnnProgram::StepLists() {
  const aclTensor* elements[3] = {TakeObject(tensors_), TakeObject(tensors_), TakeObject(tensors_)};
  uint64_t size = 0;
  switch (input_.Below(3)) {
    case 0:
      if (aclTensorList* list = aclCreateTensorList(elements, input_.Below(4)); list != nullptr) {
        lists_.push_back(list);
      }
      return;
    case 1:
      return CheckStatus(aclDestroyTensorList(TakeObject(lists_)));
    default:
      return CheckStatus(aclGetTensorListSize(TakeObject(lists_), &size));
  }
}

void AclnnProgram::StepExecutor() {
  std::vector<aclOpExecutor*> handles;
  for (const Executor& executor : executors_) handles.push_back(executor.handle);
  aclOpExecutor* const executor = TakeObject(handles);
  const std::size_t index = input_.Below(6);
  switch (input_.Below(6)) {
    case 0:
      return CheckStatus(aclDestroyAclOpExecutor(executor));
    case 1:
      return CheckStatus(
          aclSetInputTensorAddr(executor, index, TakeObject(tensors_), TakeAddress()));
    case 2:
      return CheckStatus(
          aclSetOutputTensorAddr(executor, index, TakeObject(tensors_), TakeAddress()));
    case 3:
      return CheckStatus(aclSetTensorAddr(executor, index, TakeObject(tensors_), TakeAddress()));
    case 4:
      return CheckStatus(
          aclSetDynamicTensorAddr(executor, index, 0, TakeObject(lists_), TakeAddress()));
    default:
      return CheckStatus(aclSetAclOpExecutorRepeatable(executor));
  }
}

// Puts something else in the place of an argument.
void AclnnProgram::Spoil(AclnnArguments& arguments) {
  switch (input_.Below(6)) {
    case 0:
      arguments.tensors[input_.Below(AclnnArguments::kMaxTensors)] = TakeObject(tensors_);
      return;
    case 1:
      arguments.arrays[input_.Below(AclnnArguments::kMaxArrays)] = TakeObject(arrays_);
      return;
    case 2:
      arguments.scalar = TakeObject(scalars_);
      return;
    case 3:
      arguments.dim = TakeNumber();
      return;
    case 4:
      arguments.mode = TakeNumber();
      return;
    default:
      std::swap(arguments.tensors[0], arguments.tensors[input_.Below(AclnnArguments::kMaxTensors)]);
  }
}

void AclnnProgram::StepCall() {
  const std::size_t operation = input_.Below(kAclnnOperators);
  const CallPlan plan = AclnnOperatorAt(operation).plan(input_);
  AclnnArguments arguments;
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    arguments.tensors[i] = MakeTensor(plan.tensors[i]);
  }
  for (std::size_t i = 0; i < plan.arrays.size(); ++i) {
    arguments.arrays[i] = MakeArray(plan.arrays[i]);
  }
  arguments.dim = plan.dim;
  arguments.mode = plan.mode;
  float alpha = static_cast<float>(input_.Take<std::int8_t>()) / 4;
  arguments.scalar = aclCreateScalar(&alpha, ACL_FLOAT);
  scalars_.push_back(arguments.scalar);
  if (input_.Below(4) == 0) Spoil(arguments);

  Executor executor{nullptr, operation, 0};
  const aclnnStatus status =
      AclnnOperatorAt(operation).phase_one(arguments, &executor.workspace_size, &executor.handle);
  CheckStatus(status);
  FUZZ_CHECK((status == ACLNN_SUCCESS) == (executor.handle != nullptr));
  if (status != ACLNN_SUCCESS) return;
  executors_.push_back(executor);
  if (input_.Below(8) == 0) CheckStatus(aclSetAclOpExecutorRepeatable(executor.handle));
  if (input_.Below(8) != 0) RunPhaseTwo(executor);
}

void AclnnProgram::StepPhaseTwo() {
  if (executors_.empty()) return;
  Executor executor = executors_[input_.Below(executors_.size())];
  if (input_.Below(4) == 0) executor.operation = input_.Below(kAclnnOperators);
  RunPhaseTwo(executor);
}

// What is refused, and what ends with a fault, has written nothing.
void AclnnProgram::RunPhaseTwo(const Executor& executor) {
  void* workspace = nullptr;
  const std::uint64_t size = executor.workspace_size;
  if (size > (std::uint64_t{1} << 20)) return;
  if (size > 0) {
    FUZZ_CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  }
  const std::vector<std::uint8_t> before = ReadArena();
  const std::size_t choice = input_.Below(16);
  const aclnnStatus status = AclnnOperatorAt(executor.operation)
                                 .phase_two(choice == 1 ? TakeAddress() : workspace,
                                            choice == 2 ? input_.Take<std::uint8_t>() : size,
                                            executor.handle, choice < 8 ? nullptr : stream_);
  CheckStatus(status);
  const aclError waited = aclrtSynchronizeDevice();
  FUZZ_CHECK(waited == ACL_SUCCESS || waited == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  (void)aclGetRecentErrMsg();
  if (status != ACLNN_SUCCESS || waited != ACL_SUCCESS) FUZZ_CHECK(ReadArena() == before);
  if (workspace != nullptr) FUZZ_CHECK(aclrtFree(workspace) == ACL_SUCCESS);
}

std::vector<std::uint8_t> AclnnProgram::ReadArena() const {
  std::vector<std::uint8_t> bytes(kArenaBytes);
  FUZZ_CHECK(aclrtMemcpy(bytes.data(), bytes.size(), arena_, bytes.size(),
                         ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  return bytes;
}

// Some of these are ended already; then the answer is a refusal.
void AclnnProgram::End() {
  for (const Executor& executor : executors_) (void)aclDestroyAclOpExecutor(executor.handle);
  for (const aclTensorList* list : lists_) (void)aclDestroyTensorList(list);
  for (const aclTensor* tensor : tensors_) (void)aclDestroyTensor(tensor);
  for (const aclIntArray* array : arrays_) (void)aclDestroyIntArray(array);
  for (const aclScalar* scalar : scalars_) (void)aclDestroyScalar(scalar);
  FUZZ_CHECK(aclrtDestroyStream(stream_) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtFree(arena_) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
  (void)aclGetRecentErrMsg();
}

}  // namespace belay::fuzz
