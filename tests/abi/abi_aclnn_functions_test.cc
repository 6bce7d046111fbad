// Checks the prototypes of the functions around aclnn's operators.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi_check.h"
#include "aclnn/acl_meta.h"

namespace {

ABI_FUNCTION(aclCreateBoolArray, aclBoolArray* (*)(const bool*, uint64_t));
ABI_FUNCTION(aclCreateFloatArray, aclFloatArray* (*)(const float*, uint64_t));
ABI_FUNCTION(aclCreateIntArray, aclIntArray* (*)(const int64_t*, uint64_t));
ABI_FUNCTION(aclCreateScalar, aclScalar* (*)(void*, aclDataType));
ABI_FUNCTION(aclCreateScalarList, aclScalarList* (*)(const aclScalar* const*, uint64_t));
ABI_FUNCTION(aclCreateTensor, aclTensor* (*)(const int64_t*, uint64_t, aclDataType, const int64_t*,
                                             int64_t, aclFormat, const int64_t*, uint64_t, void*));
ABI_FUNCTION(aclCreateTensorList, aclTensorList* (*)(const aclTensor* const*, uint64_t));
ABI_FUNCTION(aclDestroyAclOpExecutor, aclnnStatus (*)(aclOpExecutor*));
ABI_FUNCTION(aclDestroyBoolArray, aclnnStatus (*)(const aclBoolArray*));
ABI_FUNCTION(aclDestroyFloatArray, aclnnStatus (*)(const aclFloatArray*));
ABI_FUNCTION(aclDestroyIntArray, aclnnStatus (*)(const aclIntArray*));
ABI_FUNCTION(aclDestroyScalar, aclnnStatus (*)(const aclScalar*));
ABI_FUNCTION(aclDestroyScalarList, aclnnStatus (*)(const aclScalarList*));
ABI_FUNCTION(aclDestroyTensor, aclnnStatus (*)(const aclTensor*));
ABI_FUNCTION(aclDestroyTensorList, aclnnStatus (*)(const aclTensorList*));
ABI_FUNCTION(aclDumpOpTensors,
             aclnnStatus (*)(const char*, const char*, aclTensor**, size_t, size_t, aclrtStream));
ABI_FUNCTION(aclGetBoolArraySize, aclnnStatus (*)(const aclBoolArray*, uint64_t*));
ABI_FUNCTION(aclGetDataType, aclnnStatus (*)(const aclTensor*, aclDataType*));
ABI_FUNCTION(aclGetFloatArraySize, aclnnStatus (*)(const aclFloatArray*, uint64_t*));
ABI_FUNCTION(aclGetFormat, aclnnStatus (*)(const aclTensor*, aclFormat*));
ABI_FUNCTION(aclGetIntArraySize, aclnnStatus (*)(const aclIntArray*, uint64_t*));
ABI_FUNCTION(aclGetRawTensorAddr, aclnnStatus (*)(const aclTensor*, void**));
ABI_FUNCTION(aclGetScalarListSize, aclnnStatus (*)(const aclScalarList*, uint64_t*));
ABI_FUNCTION(aclGetStorageShape, aclnnStatus (*)(const aclTensor*, int64_t**, uint64_t*));
ABI_FUNCTION(aclGetTensorListSize, aclnnStatus (*)(const aclTensorList*, uint64_t*));
ABI_FUNCTION(aclGetViewOffset, aclnnStatus (*)(const aclTensor*, int64_t*));
ABI_FUNCTION(aclGetViewShape, aclnnStatus (*)(const aclTensor*, int64_t**, uint64_t*));
ABI_FUNCTION(aclGetViewStrides, aclnnStatus (*)(const aclTensor*, int64_t**, uint64_t*));
ABI_FUNCTION(aclInitTensor,
             aclnnStatus (*)(aclTensor*, const int64_t*, uint64_t, aclDataType, const int64_t*,
                             int64_t, aclFormat, const int64_t*, uint64_t, void*));
ABI_FUNCTION(aclSetAclOpExecutorRepeatable, aclnnStatus (*)(aclOpExecutor*));
ABI_FUNCTION(AclSetDynamicInputTensorAddr,
             aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*));
ABI_FUNCTION(aclSetDynamicInputTensorAddr,
             aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*));
ABI_FUNCTION(AclSetDynamicOutputTensorAddr,
             aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*));
ABI_FUNCTION(aclSetDynamicOutputTensorAddr,
             aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*));
ABI_FUNCTION(AclSetDynamicTensorAddr,
             aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*));
ABI_FUNCTION(aclSetDynamicTensorAddr,
             aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*));
ABI_FUNCTION(AclSetInputTensorAddr, aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*));
ABI_FUNCTION(aclSetInputTensorAddr, aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*));
ABI_FUNCTION(AclSetOutputTensorAddr, aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*));
ABI_FUNCTION(aclSetOutputTensorAddr, aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*));
ABI_FUNCTION(aclSetRawTensorAddr, aclnnStatus (*)(aclTensor*, void*));
ABI_FUNCTION(AclSetTensorAddr, aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*));
ABI_FUNCTION(aclSetTensorAddr, aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*));

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiAclnnFunctions, All) { SUCCEED(); }

}  // namespace
