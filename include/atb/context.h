/**
 * @file
 * Context: where and how operations of the ATB API run. C++ only.
 */
#ifndef ATB_CONTEXT_H
#define ATB_CONTEXT_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "acl/acl.h"
#include "atb/types.h"

namespace atb {

/**
 * What Operation::Execute does.
 *   EXECUTE_NORMAL     checks the arguments and launches
 *   EXECUTE_PRELAUNCH  only checks them and takes them over
 *   EXECUTE_LAUNCH     only launches, with what EXECUTE_PRELAUNCH took over
 * Source: ATB API, Context.
 */
enum ExecuteType : int {
  EXECUTE_NORMAL = 0,
  EXECUTE_PRELAUNCH = 1,
  EXECUTE_LAUNCH = 2,
};

/**
 * How operations are launched: each kernel alone, or all of an operation as a captured whole.
 * Source: ATB API, Context.
 */
enum LaunchMode : int {
  KERNEL_LAUNCH_MODE = 0,
  GRAPH_LAUNCH_MODE = 1,
};

/**
 * Streams and modes of operations. CreateContext makes one; it must live until the last Setup and
 * Execute with it, and until operations in graph launch mode are destroyed. A context is not
 * locked: threads use it in turn.
 * Source: ATB API, Context.
 */
class Context {
 public:
  Context() = default;
  virtual ~Context() = default;

  /** Sets the first stream; the others stay. The context does not own it. */
  virtual Status SetExecuteStream(aclrtStream stream) = 0;

  /** Returns the first stream; null in a new context. */
  virtual aclrtStream GetExecuteStream() const = 0;

  /** Switches the copies of launch parameters on a stream of their own on or off. */
  virtual Status SetAsyncTilingCopyStatus(bool enable) = 0;

  /** Tells whether they are on. */
  virtual bool GetAsyncTilingCopyStatus() const = 0;

  /** Replaces all streams; an operation picks one by its stream id. None: ERROR_INVALID_PARAM. */
  virtual Status SetExecuteStreams(const std::vector<aclrtStream>& streams) = 0;

  /** Returns all streams. */
  virtual std::vector<aclrtStream> GetExecuteStreams() = 0;

  /** Sets what Execute does, for the calling thread and all contexts. */
  virtual Status SetExecuteType(ExecuteType type) = 0;

  /** Returns what Execute does in the calling thread. */
  virtual ExecuteType GetExecuteType() = 0;

  /** Sets the launch mode of this context; KERNEL_LAUNCH_MODE in a new one. */
  virtual Status SetLaunchMode(LaunchMode mode) = 0;

  /** Returns the launch mode. */
  virtual LaunchMode GetLaunchMode() = 0;
};

/**
 * Creates a context for the current device; DestroyContext releases it. The second form takes
 * memory for launch parameters from `alloc`, once and at once, and gives it back to `dealloc`;
 * empty functions mean the library's own. The third form takes the numbers of memory blocks for
 * launch parameters: 128 to 1024 on the host and 32 to 1024 on the device.
 * Fails with ERROR_INVALID_PARAM for a null pointer, for one empty function of two and for numbers
 * out of range, with ERROR_OUT_OF_HOST_MEMORY and with ERROR_OUT_OF_DEVICE_MEMORY; `*context` then
 * keeps its value.
 * Source: ATB API, Context.
 */
ACL_FUNC_VISIBILITY Status CreateContext(Context** context);
ACL_FUNC_VISIBILITY Status CreateContext(Context** context,
                                         const std::function<void*(size_t)>& alloc,
                                         const std::function<void(void*)>& dealloc);
ACL_FUNC_VISIBILITY Status CreateContext(Context** context, uint32_t hostTilingBlockNum,
                                         uint32_t deviceTilingBlockNum);

/**
 * Destroys a context that CreateContext made. Leaves null and objects of other classes alone.
 * Always NO_ERROR.
 * Source: ATB API, Context.
 */
ACL_FUNC_VISIBILITY Status DestroyContext(Context* context);

}  // namespace atb

#endif  // ATB_CONTEXT_H
