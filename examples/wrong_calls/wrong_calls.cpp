// Mistakes that programs make, and what they get: a status code, and a text that says what was
// wrong and what is allowed. Nothing is written on a refusal.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "acl/acl.h"
#include "aclnnop/aclnn_trans_quant_param.h"

static void Show(const char* mistake, int code) {
  const char* text = aclGetRecentErrMsg();
  std::printf("%s: %d\n%s\n", mistake, code, text ? text : "no text");
}

int main() {
  float host[16] = {};
  void* block = nullptr;
  uint64_t* words = nullptr;
  uint64_t count = 0;

  Show("memory without a device", aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST));

  if (aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  if (aclrtMalloc(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 1;

  Show("null pointer", aclrtMemcpy(nullptr, 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE));
  Show("copy larger than its destination says",
       aclrtMemcpy(block, 32, host, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  Show("copy larger than the block",
       aclrtMemcpy(block, 4096, host, sizeof(host), ACL_MEMCPY_HOST_TO_DEVICE));
  if (aclrtFree(block) != ACL_SUCCESS) return 1;
  Show("freed pointer", aclrtMemcpy(block, 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE));
  Show("freed twice", aclrtFree(block));

  const float scale[2] = {1.0F, NAN};
  Show("scale that is NaN", aclnnTransQuantParam(scale, 2, nullptr, 0, &words, &count));

  return aclrtResetDevice(0) == ACL_SUCCESS && words == nullptr ? 0 : 1;
}
