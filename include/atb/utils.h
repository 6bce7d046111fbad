/**
 * @file
 * Helper functions of the ATB API. C++ only.
 */
#ifndef ATB_UTILS_H
#define ATB_UTILS_H

#include <cstdint>
#include <string>

#include "atb/types.h"

namespace atb {

/**
 * Helper functions; they need neither a device nor a context.
 * Source: ATB API, Utils.
 */
class Utils {
 public:
  /** Returns the version of the ATB API that is imitated. */
  ACL_FUNC_VISIBILITY static std::string GetAtbVersion();

  /**
   * Returns the bytes that the elements of a tensor take: 0 without dimensions, with a dimension
   * below 1, for a data type without a whole number of bytes and when the size overflows. The
   * description counts, not dataSize. An undefined data type counts as one byte.
   */
  ACL_FUNC_VISIBILITY static uint64_t GetTensorSize(const Tensor& tensor);
  ACL_FUNC_VISIBILITY static uint64_t GetTensorSize(const TensorDesc& tensorDesc);

  /**
   * Returns the number of elements of a tensor: 0 without dimensions, with a dimension below 1 and
   * when the number overflows.
   */
  ACL_FUNC_VISIBILITY static uint64_t GetTensorNumel(const Tensor& tensor);
  ACL_FUNC_VISIBILITY static uint64_t GetTensorNumel(const TensorDesc& tensorDesc);

  /**
   * Stores the bits of `itemCount` floats in the lower halves of 64-bit words, the upper halves are
   * 0. Does nothing if a pointer is null.
   */
  ACL_FUNC_VISIBILITY static void QuantParamConvert(const float* src, uint64_t* dest,
                                                    uint64_t itemCount);

  /**
   * Sets the log level of the process. Fails with ERROR_INVALID_PARAM for a value that is no level.
   */
  ACL_FUNC_VISIBILITY static Status SetLogLevel(const atb::LogLevel atbLogLevel);

  /**
   * Sets the log level that the environment asks for, or ERROR. Fails with ERROR_INVALID_PARAM if
   * the environment names no level.
   */
  ACL_FUNC_VISIBILITY static Status ResetLogLevel();
};

}  // namespace atb

#endif  // ATB_UTILS_H
