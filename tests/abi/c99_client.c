/* A client in plain C99: the headers must compile, and types, constants and callbacks be usable. */

#include <stdio.h>
#include <string.h>

#include "acl/acl.h"

static void countCall(void* userData) { ++*(int*)userData; }

static int expect(int condition, const char* what) {
  if (!condition) {
    (void)fprintf(stderr, "failed: %s\n", what);
  }
  return condition ? 0 : 1;
}

int main(void) {
  int failures = 0;
  int calls = 0;
  const aclError result = ACL_SUCCESS;
  const aclrtStream stream = NULL;
  const aclDataType dataType = ACL_BF16;
  const aclFormat format = ACL_FRACTAL_Z_3D;
  const enum aclrtMemPgType pageType = HUGE_PAGE_TYPE;
  const dim3 blocks = {4U, 2U, 1U};
  const aclrtCallback callback = countCall;
  struct MemAttrMapping mapping;
  aclrtPtrAttributes attributes;
  aclmdlRITaskParams params;

  memset(&attributes, 0, sizeof(attributes));
  memset(&params, 0, sizeof(params));
  attributes.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  params.type = ACL_MODEL_RI_TASK_EVENT_RECORD;
  params.eventRecordTaskParams.recordFlag = ACL_EVENT_RECORD_EXTERNAL;
  mapping.pgType = (uint32_t)pageType;
  mapping.memType = HBM_TYPE;
  mapping.isHostAlloc = true;
  mapping.memAttr = ACL_HBM_MEM_HUGE;
  callback(&calls);

  failures += expect(result == ACL_ERROR_NONE, "success code");
  failures += expect(ACL_ERROR_RT_PARAM_INVALID == 107000, "runtime error code");
  failures += expect(ACL_ERROR_GE_PARAM_INVALID == 145000U, "graph engine error code");
  failures += expect(stream == NULL, "stream handle");
  failures += expect(dataType == 27 && format == 33, "data type and format");
  failures += expect(blocks.x == 4U && blocks.z == 1U && sizeof(dim3) == 12U, "dim3");
  failures += expect(mapping.pgType == 1U && mapping.isHostAlloc, "memory mapping");
  failures += expect(attributes.location.type == 1, "pointer attributes");
  failures += expect(params.eventRecordTaskParams.recordFlag == 1U, "task parameters");
  failures += expect(calls == 1, "callback");
  return failures == 0 ? 0 : 1;
}
