/**
 * @file
 * Structures and unions of the acl runtime: kernel, random number and task update subjects.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STRUCTS_TASK_H_
#define INC_EXTERNAL_ACL_ACL_RT_STRUCTS_TASK_H_

#include "acl_base.h"
#include "acl_rt_enums_task.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Value of one load option; aclrtBinaryLoadOptionType tells which member is valid.
 * Source: acl API, kernel loading.
 */
typedef union aclrtBinaryLoadOptionValue {
  uint32_t isLazyLoad;
  uint32_t magic;
  int32_t cpuKernelMode;
  uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;

/**
 * One option for loading a kernel binary.
 * Source: acl API, kernel loading.
 */
typedef struct {
  aclrtBinaryLoadOptionType type;
  aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;

/**
 * List of load options. The caller owns the array.
 * Source: acl API, kernel loading.
 */
typedef struct aclrtBinaryLoadOptions {
  aclrtBinaryLoadOption* options;
  size_t numOpt;
} aclrtBinaryLoadOptions;

#ifndef __BISHENG_CCEC__
/**
 * Grid or block size of a launch. In C++ every component defaults to 1. Device compilers bring
 * their own dim3, so it is left out for them.
 * Source: acl API, kernel launch.
 */
typedef struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
  constexpr dim3(uint32_t xValue = 1, uint32_t yValue = 1, uint32_t zValue = 1)
      : x(xValue), y(yValue), z(zValue) {}
#else
  dim3(uint32_t xValue = 1, uint32_t yValue = 1, uint32_t zValue = 1)
      : x(xValue), y(yValue), z(zValue) {}
#endif
#endif
} dim3;
#endif  // __BISHENG_CCEC__

/**
 * 64-bit timeout in microseconds, split in two halves.
 * Source: acl API, kernel launch.
 */
typedef struct {
  uint32_t timeoutLow;
  uint32_t timeoutHigh;
} aclrtTimeoutUs;

/**
 * Value of one launch attribute; aclrtLaunchKernelAttrId tells which member is valid.
 * Source: acl API, kernel launch.
 */
typedef union aclrtLaunchKernelAttrValue {
  uint8_t schemMode;
  uint32_t localMemorySize ACL_DEPRECATED_MESSAGE("use dynUBufSize");
  uint32_t dynUBufSize;
  aclrtEngineType engineType;
  uint32_t blockDimOffset;
  uint8_t isBlockTaskPrefetch;
  uint8_t isDataDump;
  uint16_t timeout;
  aclrtTimeoutUs timeoutUs;
  uint8_t enableProfiling;
  uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

/**
 * One attribute of a kernel launch.
 * Source: acl API, kernel launch.
 */
typedef struct aclrtLaunchKernelAttr {
  aclrtLaunchKernelAttrId id;
  aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

/**
 * List of launch attributes. The caller owns the array.
 * Source: acl API, kernel launch.
 */
typedef struct aclrtLaunchKernelCfg {
  aclrtLaunchKernelAttr* attrs;
  size_t numAttrs;
} aclrtLaunchKernelCfg;

/**
 * Place in an argument buffer that receives the address of later data. Both are byte offsets.
 * Source: acl API, kernel launch.
 */
typedef struct {
  uint32_t addrOffset;
  uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/**
 * Parameter of a random number task: a value or the address of one, and its size in bytes.
 * Source: acl API, random number tasks.
 */
typedef struct {
  uint8_t isAddr;
  uint8_t valueOrAddr[8];
  uint8_t size;
  uint8_t rsv[6];
} aclrtRandomParaInfo;

/**
 * Parameter of a dropout mask.
 * Source: acl API, random number tasks.
 */
typedef struct {
  aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

/**
 * Bounds of a uniform distribution.
 * Source: acl API, random number tasks.
 */
typedef struct {
  aclrtRandomParaInfo min;
  aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

/**
 * Mean and standard deviation of a normal distribution.
 * Source: acl API, random number tasks.
 */
typedef struct {
  aclrtRandomParaInfo mean;
  aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

/**
 * Distribution and its parameters; funcType tells which member is valid.
 * Source: acl API, random number tasks.
 */
typedef struct {
  aclrtRandomNumFuncType funcType;
  union {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
    aclrtUniformDisInfo uniformDisInfo;
    aclrtNormalDisInfo normalDisInfo;
  } paramInfo;
} aclrtRandomNumFuncParaInfo;

/**
 * Complete description of a random number task. All addresses are device addresses.
 * Source: acl API, random number tasks.
 */
typedef struct {
  aclDataType dataType;
  aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
  void* randomParaAddr;
  void* randomResultAddr;
  void* randomCounterAddr;
  aclrtRandomParaInfo randomSeed;
  aclrtRandomParaInfo randomNum;
  uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

/**
 * New parameters for a random number task. The size is in bytes.
 * Source: acl API, task update.
 */
typedef struct {
  void* srcAddr;
  size_t size;
  uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

/**
 * New binary, entry and block count for a kernel task.
 * Source: acl API, task update.
 */
typedef struct {
  void* binHandle;
  void* funcEntryAddr;
  void* blockDimAddr;
  uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

/**
 * Value of a task update; aclrtUpdateTaskAttrId tells which member is valid.
 * Source: acl API, task update.
 */
typedef union {
  aclrtRandomTaskUpdateAttr randomTaskAttr;
  aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

/**
 * One task update.
 * Source: acl API, task update.
 */
typedef struct {
  aclrtUpdateTaskAttrId id;
  aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_STRUCTS_TASK_H_
