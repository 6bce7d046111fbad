/**
 * @file
 * Structures and unions of the acl runtime: captured graph subjects.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STRUCTS_MODEL_H_
#define INC_EXTERNAL_ACL_ACL_RT_STRUCTS_MODEL_H_

#include "acl_base.h"
#include "acl_rt_enums_task.h"
#include "acl_rt_handles.h"
#include "acl_rt_structs_task.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Keeps strict C99 compilers quiet about the unnamed union, which C11 and C++ allow.
 */
#if defined(__GNUC__) && !defined(__cplusplus)
#define ACL_EXTENSION __extension__
#else
#define ACL_EXTENSION
#endif

/**
 * Captured kernel launch. argsSize is in bytes.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRIKernelTaskParams {
  aclrtFuncHandle funcHandle;
  aclrtLaunchKernelCfg* cfg;
  void* args;
  uint32_t isHostArgs;
  size_t argsSize;
  uint32_t numBlocks;
  uint32_t rsv[10];
} aclmdlRIKernelTaskParams;

/**
 * Captured event record.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRIEventRecordTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t recordFlag;
} aclmdlRIEventRecordTaskParams;

/**
 * Captured event wait.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRIEventWaitTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t waitFlag;
} aclmdlRIEventWaitTaskParams;

/**
 * Captured event reset.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRIEventResetTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t resetFlag;
} aclmdlRIEventResetTaskParams;

/**
 * Captured write of a value to device memory.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRIValueWriteTaskParams {
  void* devAddr;
  uint64_t value;
} aclmdlRIValueWriteTaskParams;

/**
 * Captured wait for a value in device memory.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRIValueWaitTaskParams {
  void* devAddr;
  uint64_t value;
  uint32_t flag;
} aclmdlRIValueWaitTaskParams;

/**
 * Any captured task; type tells which member of the unnamed union is valid.
 * Source: acl API, graph capture.
 */
typedef struct aclmdlRITaskParams {
  aclmdlRITaskType type;
  uint32_t rsv0[3];
  aclrtTaskGrp taskGrp;
  void* opInfoPtr;
  size_t opInfoSize;
  uint8_t rsv1[32];
  ACL_EXTENSION union {
    uint8_t rsv2[128];
    aclmdlRIKernelTaskParams kernelTaskParams;
    aclmdlRIEventRecordTaskParams eventRecordTaskParams;
    aclmdlRIEventWaitTaskParams eventWaitTaskParams;
    aclmdlRIEventResetTaskParams eventResetTaskParams;
    aclmdlRIValueWriteTaskParams valueWriteTaskParams;
    aclmdlRIValueWaitTaskParams valueWaitTaskParams;
  };
} aclmdlRITaskParams;

/**
 * Captured conditional task with its sub-graphs. size counts the array.
 * Source: acl API, graph capture.
 */
typedef struct tagAclmdlRICondTaskParams {
  aclmdlRICondHandle handle;
  aclmdlRICondTaskType type;
  uint32_t size;
  aclmdlRI* modelRIArray;
} aclmdlRICondTaskParams;

#undef ACL_EXTENSION

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_STRUCTS_MODEL_H_
