/**
 * @file
 * Descriptions of tensors for the model interface: type, format, shape and what else a program says
 * about a tensor. The aclnn interface does not use them. A description is opaque; every function
 * recognises what is none, a destroyed one included, and answers with ACL_ERROR_INVALID_PARAM or
 * the value said below. Functions that return a status also fail so when another pointer is null.
 */
#ifndef INC_EXTERNAL_ACL_ACL_BASE_MDL_H_
#define INC_EXTERNAL_ACL_ACL_BASE_MDL_H_

#include <stddef.h>
#include <stdint.h>

#include "acl_base_rt.h"

/** Entries of the range of a dimension, and of a value. */
#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2
/** The number of dimensions of a tensor whose rank is not known. */
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Description of a tensor.
 * Source: acl API, tensor descriptions.
 */
typedef struct aclTensorDesc aclTensorDesc;

/**
 * Makes a description of a tensor. dims may be null when numDims is 0 (a scalar); an entry of -1 is
 * not known, and -2 as the only entry means that the rank is not known. The caller ends it with
 * aclDestroyTensorDesc. Null when an argument is not allowed or memory runs out.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims,
                                                       const int64_t* dims, aclFormat format);

/**
 * Ends a description, and what functions of this header returned from it.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc* desc);

/**
 * Sets the least and greatest size of each dimension; -1 as the greatest is no limit. Fails with
 * ACL_ERROR_INVALID_PARAM when dimsCount is not the number of dimensions or a range is not one.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(
    aclTensorDesc* desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);

/**
 * Sets the least and greatest of the tensor's values; -1 as the greatest is no limit. Fails with
 * ACL_ERROR_INVALID_PARAM when a range is not one.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorValueRange(
    aclTensorDesc* desc, size_t valueCount, int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);

/**
 * The element type; ACL_DT_UNDEFINED for what is no description.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc* desc);

/**
 * The format, which aclSetTensorOriginFormat changes; ACL_FORMAT_UNDEFINED for what is no
 * description.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);

/**
 * Bytes of the tensor's data. Elements of less than a byte lie close together. 0 when the shape is
 * not known in full, the elements have no size or the result does not fit.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc* desc);

/**
 * Number of elements, 1 for a scalar. 0 when the shape is not known in full or the number does not
 * fit.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);

/**
 * Number of dimensions; ACL_UNKNOWN_RANK when it is not known.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);

/**
 * Size of a dimension, -1 when it is not known or there is no such dimension.
 * Source: acl API, tensor descriptions.
 */
ACL_DEPRECATED_MESSAGE("aclGetTensorDescDim is deprecated, use aclGetTensorDescDimV2 instead")
ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);

/**
 * Stores the size of a dimension, -1 when it is not known. Fails with ACL_ERROR_INVALID_PARAM when
 * there is no such dimension.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index,
                                                   int64_t* dimSize);

/**
 * Stores the least and greatest size of a dimension in dimRange, which has room for dimRangeNum
 * entries, at least 2. A known dimension without a range has its size twice. Fails with
 * ACL_ERROR_INVALID_PARAM when nothing is known.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index,
                                                      size_t dimRangeNum, int64_t* dimRange);

/**
 * Names the tensor. The name is copied.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc* desc, const char* name);

/**
 * The name, empty when there is none. It is the description's and stays until the next name.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY const char* aclGetTensorDescName(aclTensorDesc* desc);

/**
 * Stores a new description of the same tensor in another format, with the dimensions and their
 * ranges in that order. The caller ends it with aclDestroyTensorDesc. Storage and constant data do
 * not come along. Fails with ACL_ERROR_INVALID_PARAM for formats that have not the same axes, ND
 * apart, or are laid out in blocks. Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc,
                                                      aclFormat dstFormat, aclTensorDesc** dstDesc);

/**
 * Sets the format in which the tensor lies in memory.
 * Source: acl API, tensor descriptions.
 */
ACL_DEPRECATED_MESSAGE("aclSetTensorStorageFormat is deprecated, use aclSetTensorFormat instead")
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format);

/**
 * Sets the shape in which the tensor lies in memory.
 * Source: acl API, tensor descriptions.
 */
ACL_DEPRECATED_MESSAGE("aclSetTensorStorageShape is deprecated, use aclSetTensorShape instead")
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims,
                                                      const int64_t* dims);

/**
 * Sets the format in which the tensor lies in memory.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);

/**
 * Sets the shape in which the tensor lies in memory.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorShape(aclTensorDesc* desc, int numDims,
                                               const int64_t* dims);

/**
 * Sets the format that aclCreateTensorDesc was given.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);

/**
 * Sets the shape that aclCreateTensorDesc was given. Another number of dimensions ends the ranges
 * of aclSetTensorShapeRange. Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims,
                                                     const int64_t* dims);

/**
 * The description of one tensor of several. Here a description stands for one, which is index 0;
 * null for others.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);

/**
 * The data that aclSetTensorConst has copied, which is the description's; null when there is none.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY void* aclGetTensorDescAddress(const aclTensorDesc* desc);

/**
 * Says which dynamic input the tensor belongs to. The name is copied.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorDynamicInput(aclTensorDesc* desc,
                                                      const char* dynamicInputName);

/**
 * Makes the tensor constant: copies length bytes of host memory. Fails with ACL_ERROR_INVALID_PARAM
 * when length is 0 or dataBuffer is memory of a device.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer,
                                               size_t length);

/**
 * Says whether the tensor lies on the device or the host. Fails with ACL_ERROR_INVALID_PARAM when
 * memType is unknown.
 * Source: acl API, tensor descriptions.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_BASE_MDL_H_
