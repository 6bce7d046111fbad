/**
 * @file
 * Objects of the aclnn API: tensors, scalars, arrays, lists and executors. C++ only.
 *
 * Objects are known by handles. A null, destroyed or foreign handle is refused, with a message that
 * aclGetRecentErrMsg returns, and never followed.
 */
#ifndef OP_API_OP_API_COMMON_INC_EXTERNAL_ACL_META_H
#define OP_API_OP_API_COMMON_INC_EXTERNAL_ACL_META_H

#include <cstdint>
#include <cstdlib>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ACLNN_META
#define ACLNN_META

/**
 * Objects of the aclnn API. They are opaque; only pointers to them are passed around.
 * Source: aclnn API, types.
 */
typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;

/**
 * Result of the aclnn functions: 0 or one of the ACLNN_ERR codes.
 * Source: aclnn API, return codes.
 */
typedef int32_t aclnnStatus;

/**
 * Success of an aclnn function.
 * Source: aclnn API, return codes.
 */
constexpr aclnnStatus OK = 0;

#endif  // ACLNN_META

/**
 * Makes a tensor: a view of storage that the caller owns and that must outlive the work on it.
 *   viewDims     viewDimsNum sizes; none makes a tensor of one element
 *   stride       viewDimsNum strides in elements; null: the view has no gaps
 *   offset       where the view begins in the storage, in elements
 *   storageDims  storageDimsNum sizes of the storage; kept, and given back by aclGetStorageShape
 *   tensorData   device address of the storage; may be null and set later
 * Values are not judged here but by the operators that get the tensor. Returns null for viewDims or
 * storageDims null with a count above 0, for more than 1024 dimensions and without host memory.
 * The caller destroys the tensor with aclDestroyTensor.
 * Source: aclnn API, tensor model; creation and destruction.
 */
ACL_FUNC_VISIBILITY aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum,
                                               aclDataType dataType, const int64_t* stride,
                                               int64_t offset, aclFormat format,
                                               const int64_t* storageDims, uint64_t storageDimsNum,
                                               void* tensorData);

/**
 * Makes a scalar with a copy of the one value of dataType at `value`. Returns null for value null
 * and without host memory. The caller destroys it with aclDestroyScalar.
 * Source: aclnn API, creation and destruction.
 */
ACL_FUNC_VISIBILITY aclScalar* aclCreateScalar(void* value, aclDataType dataType);

/**
 * Make arrays with copies of `size` values. Return null for value null with a size above 0 and
 * without host memory. The caller destroys them with the function of their kind.
 * Source: aclnn API, creation and destruction.
 */
ACL_FUNC_VISIBILITY aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size);
/** See aclCreateIntArray. */
ACL_FUNC_VISIBILITY aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size);
/** See aclCreateIntArray. */
ACL_FUNC_VISIBILITY aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size);

/**
 * Make lists of `size` tensors or scalars. The list owns its elements from then on and destroys
 * them. Return null for value null with a size above 0, for an element that is not alive or belongs
 * to a list already, and without host memory; then the elements stay the caller's.
 * Source: aclnn API, creation and destruction.
 */
ACL_FUNC_VISIBILITY aclTensorList* aclCreateTensorList(const aclTensor* const* value,
                                                       uint64_t size);
/** See aclCreateTensorList. */
ACL_FUNC_VISIBILITY aclScalarList* aclCreateScalarList(const aclScalar* const* value,
                                                       uint64_t size);

/**
 * Destroy an object, never device memory; those of lists destroy the elements as well. Null is
 * welcome. ACLNN_ERR_PARAM_INVALID for an object that is not alive and for an element of a list.
 * Source: aclnn API, creation and destruction.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensor(const aclTensor* tensor);
/** See aclDestroyTensor. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalar(const aclScalar* scalar);
/** See aclDestroyTensor. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyIntArray(const aclIntArray* array);
/** See aclDestroyTensor. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyFloatArray(const aclFloatArray* array);
/** See aclDestroyTensor. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyBoolArray(const aclBoolArray* array);
/** See aclDestroyTensor. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensorList(const aclTensorList* array);
/** See aclDestroyTensor. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalarList(const aclScalarList* array);

/**
 * Tell a tensor's shapes and strides, strides in elements. The array is made with new int64_t[] and
 * released by the caller with delete[]; it is an array even for a count of 0.
 * ACLNN_ERR_PARAM_NULLPTR for a null argument, ACLNN_ERR_PARAM_INVALID for a tensor that is not
 * alive, ACLNN_ERR_INNER_NULLPTR without host memory; then nothing is written.
 * Source: aclnn API, getters.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims,
                                                uint64_t* viewDimsNum);
/** See aclGetViewShape. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                                                   uint64_t* storageDimsNum);
/** See aclGetViewShape. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                                                  uint64_t* stridesNum);

/**
 * Tell a tensor's offset in elements, its view format and its element type. Fail as aclGetViewShape
 * does.
 * Source: aclnn API, getters.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset);
/** See aclGetViewOffset. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format);
/** See aclGetViewOffset. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType);

/**
 * Tell how many elements an array or list has. ACLNN_ERR_PARAM_NULLPTR for a null argument,
 * ACLNN_ERR_PARAM_INVALID for an object that is not alive.
 * Source: aclnn API, getters.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size);
/** See aclGetIntArraySize. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size);
/** See aclGetIntArraySize. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size);
/** See aclGetIntArraySize. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList,
                                                     uint64_t* size);
/** See aclGetIntArraySize. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList,
                                                     uint64_t* size);

/**
 * Rewrites a tensor. Null or a count of 0 keeps the view shape and the storage shape, null keeps
 * the address; stride null means without gaps; type, offset and format are always replaced.
 * ACLNN_ERR_PARAM_NULLPTR for tensor null, ACLNN_ERR_PARAM_INVALID for one that is not alive and
 * for more than 1024 dimensions, ACLNN_ERR_INNER_NULLPTR without host memory; then it is as before.
 * An executor keeps the view that phase one found. Not while another thread uses the tensor.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims,
                                              uint64_t viewDimsNum, aclDataType dataType,
                                              const int64_t* stride, int64_t offset,
                                              aclFormat format, const int64_t* storageDims,
                                              uint64_t storageDimsNum, void* tensorDataAddr);

/**
 * Lets phase two keep the executor for further runs; call it after phase one, before the first
 * phase two. The caller then ends it with aclDestroyAclOpExecutor.
 * ACLNN_ERR_INNER_NULLPTR for null, ACLNN_ERR_PARAM_INVALID for an executor that is not alive.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor);

/**
 * Ends an executor: a repeatable one, or one whose phase two will not run.
 * ACLNN_ERR_INNER_NULLPTR for null, ACLNN_ERR_PARAM_INVALID for an executor that is not alive.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor);

/**
 * Set the address of a tensor's storage, in the tensor and in an executor that has it.
 *   index   the tensor's position among the operator's inputs, outputs, or all tensor parameters; a
 *           tensor that is changed in place counts as both
 *   tensor  the tensor that phase one got at that position
 * ACLNN_ERR_INNER_NULLPTR for tensor or executor null (executor: the tensor has the address by
 * then); ACLNN_ERR_PARAM_INVALID for objects that are not alive, for an index that no tensor has
 * and for a tensor that is another one than phase one got; then nothing changes.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                      aclTensor* tensor, void* addr);
/** See aclSetInputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                       aclTensor* tensor, void* addr);
/** See aclSetInputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index,
                                                 aclTensor* tensor, void* addr);

/**
 * The same for element relativeIndex of a list, which is the operator's parameter irIndex. None of
 * the operators that are served has a list, so a live executor answers ACLNN_ERR_PARAM_INVALID;
 * before it ACLNN_ERR_INNER_NULLPTR for tensors or executor null and ACLNN_ERR_PARAM_INVALID for a
 * relativeIndex that the list does not have.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor,
                                                             size_t irIndex,
                                                             const size_t relativeIndex,
                                                             aclTensorList* tensors, void* addr);
/** See aclSetDynamicInputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor,
                                                              size_t irIndex,
                                                              const size_t relativeIndex,
                                                              aclTensorList* tensors, void* addr);
/** See aclSetDynamicInputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                        const size_t relativeIndex,
                                                        aclTensorList* tensors, void* addr);

/** Second name of aclSetInputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                      aclTensor* tensor, void* addr);
/** Second name of aclSetOutputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                       aclTensor* tensor, void* addr);
/** Second name of aclSetTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index,
                                                 aclTensor* tensor, void* addr);
/** Second name of aclSetDynamicInputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor,
                                                             size_t irIndex,
                                                             const size_t relativeIndex,
                                                             aclTensorList* tensors, void* addr);
/** Second name of aclSetDynamicOutputTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor,
                                                              size_t irIndex,
                                                              const size_t relativeIndex,
                                                              aclTensorList* tensors, void* addr);
/** Second name of aclSetDynamicTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                        const size_t relativeIndex,
                                                        aclTensorList* tensors, void* addr);

/**
 * Set and tell the address of a tensor's storage. Executors keep the one they were made with, so it
 * is not changed between phase one and phase two.
 * ACLNN_ERR_PARAM_NULLPTR for tensor (or, in the getter, addr) null, ACLNN_ERR_PARAM_INVALID for a
 * tensor that is not alive.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr);
/** See aclSetRawTensorAddr. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr);

/**
 * Writes a description of an operator's tensors (type, shape, strides, address, memory) to the log,
 * at level INFO: inputTensorNum inputs, then outputTensorNum outputs.
 * ACLNN_ERR_PARAM_NULLPTR for opType, opName, tensors or stream null, ACLNN_ERR_PARAM_INVALID for a
 * stream or tensor that is not alive.
 * Source: aclnn API, re-initialising and re-addressing.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDumpOpTensors(const char* opType, const char* opName,
                                                 aclTensor** tensors, size_t inputTensorNum,
                                                 size_t outputTensorNum, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // OP_API_OP_API_COMMON_INC_EXTERNAL_ACL_META_H
