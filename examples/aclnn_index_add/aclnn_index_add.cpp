// The two phases of an aclnn operator, as programs usually write them. source is a transposed view.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_index_add.h"

#define CHECK(call)                                                       \
  do {                                                                    \
    const int status = (call);                                            \
    if (status != 0) {                                                    \
      std::printf("%s -> %d: %s\n", #call, status, aclGetRecentErrMsg()); \
      return 1;                                                           \
    }                                                                     \
  } while (0)

template <class T>
int ToDevice(const std::vector<T>& values, void** address) {
  const std::size_t bytes = values.size() * sizeof(T);
  CHECK(aclrtMalloc(address, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(*address, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  return 0;
}

int main() {
  const int32_t device = 0;
  aclrtStream stream = nullptr;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(device));
  CHECK(aclrtCreateStream(&stream));

  const std::vector<float> self(3 * 4, 1.0F);
  const std::vector<float> source = {1, 5, 2, 6, 3, 7, 4, 8};  // the columns of a 2 by 4 matrix
  const std::vector<int64_t> index = {2, 0};
  void* self_memory = nullptr;
  void* source_memory = nullptr;
  void* index_memory = nullptr;
  if (ToDevice(self, &self_memory) != 0 || ToDevice(source, &source_memory) != 0 ||
      ToDevice(index, &index_memory) != 0) {
    return 1;
  }

  const int64_t self_shape[] = {3, 4};
  const int64_t source_shape[] = {2, 4};
  const int64_t source_strides[] = {1, 2};
  const int64_t source_storage[] = {8};
  const int64_t index_shape[] = {2};
  aclTensor* x = aclCreateTensor(self_shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, self_shape, 2,
                                 self_memory);
  aclTensor* s = aclCreateTensor(source_shape, 2, ACL_FLOAT, source_strides, 0, ACL_FORMAT_ND,
                                 source_storage, 1, source_memory);
  aclTensor* i = aclCreateTensor(index_shape, 1, ACL_INT64, nullptr, 0, ACL_FORMAT_ND, index_shape,
                                 1, index_memory);
  float half = 0.5F;
  aclScalar* alpha = aclCreateScalar(&half, ACL_FLOAT);

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  void* workspace = nullptr;
  CHECK(aclnnIndexAddGetWorkspaceSize(x, 0, i, s, alpha, x, &workspace_size, &executor));
  if (workspace_size > 0) {
    CHECK(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  CHECK(aclnnIndexAdd(workspace, workspace_size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));

  std::vector<float> result(self.size());
  const std::size_t bytes = result.size() * sizeof(float);
  CHECK(aclrtMemcpy(result.data(), bytes, self_memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) std::printf("%5.1f", result[row * 4 + column]);
    std::printf("\n");
  }

  aclDestroyTensor(x);
  aclDestroyTensor(s);
  aclDestroyTensor(i);
  aclDestroyScalar(alpha);
  for (void* memory : {self_memory, source_memory, index_memory, workspace}) {
    if (memory != nullptr) CHECK(aclrtFree(memory));
  }
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(device));
  CHECK(aclFinalize());
  return 0;
}
