#include "atb/library_context.h"

#include <new>
#include <utility>

#include "atb/atb_call.h"
#include "base/thrown.h"
#include "runtime/context.h"
#include "runtime/device_memory.h"
#include "runtime/thread_state.h"

namespace belay::atb_face {
namespace {

constexpr const char* kSource = "ATB API, Context";

// What the published library takes from the device for its tiling buffers: 32 blocks.
constexpr std::size_t kPoolBlockBytes = std::size_t{3} << 20;
constexpr std::uint32_t kDefaultDeviceBlocks = 32;
constexpr std::uint32_t kMinHostBlocks = 128;
constexpr std::uint32_t kMaxBlocks = 1024;

Status CheckPointer(::atb::Context** context) {
  if (context == nullptr) return NullPointer("context");
  return {};
}

// The default allocator only makes sure that there is a device: tiling needs no buffers here.
Status CreateDefault(::atb::Context** context) {
  if (const auto current = runtime::CurrentContext(); !current) {
    return Refuse(Fault::kOutOfDeviceMemory, "no device memory: {}", current.error().message());
  }
  *context = LibraryContext::Pool().Create(nullptr, nullptr);
  return {};
}

// Whatever the program's function does instead of giving memory, there is no device memory.
Status AllocatePool(const std::function<void*(std::size_t)>& alloc, void*& pool) {
  constexpr std::size_t kBytes = kDefaultDeviceBlocks * kPoolBlockBytes;
  constexpr const char* kAllowed = "allowed: it returns a block of that size";
  try {
    pool = alloc(kBytes);
  } catch (...) {
    return Refuse(Fault::kOutOfDeviceMemory, "alloc threw {} for {} bytes; {}", ThrownText(),
                  kBytes, kAllowed);
  }
  if (pool != nullptr) return {};
  return Refuse(Fault::kOutOfDeviceMemory, "alloc returned null for {} bytes; {}", kBytes,
                kAllowed);
}

}  // namespace

ObjectPool<LibraryContext>& LibraryContext::Pool() noexcept {
  static constinit LastingPool<LibraryContext> lasting;
  return lasting.pool;
}

LibraryContext::~LibraryContext() {
  if (!dealloc_) return;
  try {
    dealloc_(pool_);
  } catch (...) {
    // The program's own function failed to free its own memory; there is nobody to tell.
  }
}

void LibraryContext::operator delete(void* pointer) noexcept { Pool().TakeBack(pointer); }

Status LibraryContext::RequireAlive() const {
  if (alive_) return {};
  return Refuse(Fault::kInvalidParam, "the context is destroyed; allowed a live context");
}

::atb::Status LibraryContext::SetExecuteStream(aclrtStream stream) {
  return AtbCall({"Context::SetExecuteStream", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    streams_[0] = stream;
    return {};
  });
}

aclrtStream LibraryContext::GetExecuteStream() const {
  return streams_.empty() ? nullptr : streams_[0];
}

::atb::Status LibraryContext::SetAsyncTilingCopyStatus(bool enable) {
  return AtbCall({"Context::SetAsyncTilingCopyStatus", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    async_tiling_copy_ = enable;
    return {};
  });
}

bool LibraryContext::GetAsyncTilingCopyStatus() const { return async_tiling_copy_; }

::atb::Status LibraryContext::SetExecuteStreams(const std::vector<aclrtStream>& streams) {
  return AtbCall({"Context::SetExecuteStreams", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    if (streams.empty()) {
      return Refuse(Fault::kInvalidParam, "streams is empty; allowed one stream and more");
    }
    streams_ = streams;
    return {};
  });
}

std::vector<aclrtStream> LibraryContext::GetExecuteStreams() {
  std::vector<aclrtStream> streams;
  (void)runtime::Guarded([&](Machine&) -> Status {
    streams = streams_;
    return {};
  });
  return streams;
}

::atb::Status LibraryContext::SetExecuteType(::atb::ExecuteType type) {
  return AtbCall({"Context::SetExecuteType", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    if (type < ::atb::EXECUTE_NORMAL || type > ::atb::EXECUTE_LAUNCH) {
      return NotAllowed(Fault::kInvalidParam, "type", static_cast<int>(type),
                        "EXECUTE_NORMAL (0), EXECUTE_PRELAUNCH (1) and EXECUTE_LAUNCH (2)");
    }
    // Published so: it belongs to the thread, not to the context.
    runtime::ThreadState::Current().execute_type = type;
    return {};
  });
}

::atb::ExecuteType LibraryContext::GetExecuteType() {
  ::atb::ExecuteType type = ::atb::EXECUTE_NORMAL;
  (void)runtime::Guarded([&](Machine&) -> Status {
    type = static_cast<::atb::ExecuteType>(runtime::ThreadState::Current().execute_type);
    return {};
  });
  return type;
}

::atb::Status LibraryContext::SetLaunchMode(::atb::LaunchMode mode) {
  return AtbCall({"Context::SetLaunchMode", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    if (mode != ::atb::KERNEL_LAUNCH_MODE && mode != ::atb::GRAPH_LAUNCH_MODE) {
      return NotAllowed(Fault::kInvalidParam, "mode", static_cast<int>(mode),
                        "KERNEL_LAUNCH_MODE (0) and GRAPH_LAUNCH_MODE (1)");
    }
    launch_mode_ = mode;
    return {};
  });
}

::atb::LaunchMode LibraryContext::GetLaunchMode() { return launch_mode_; }

LibraryContext* FindContext(const ::atb::Context* context) noexcept {
  if (context == nullptr || !LibraryContext::Pool().IsAlive(context)) return nullptr;
  return static_cast<LibraryContext*>(const_cast<::atb::Context*>(context));
}

const char* DescribeBadContext(const ::atb::Context* context) noexcept {
  if (context == nullptr) return "null";
  if (LibraryContext::Pool().Owns(context)) return "a context that is destroyed";
  return "not a context of this library";
}

}  // namespace belay::atb_face

namespace atb {

using belay::Fault;
using belay::NotAllowed;
using belay::Refuse;
using belay::atb_face::AtbCall;
using belay::atb_face::LibraryContext;
using belay::atb_face::Machine;

Status CreateContext(Context** context) {
  return AtbCall({"CreateContext", belay::atb_face::kSource}, [&](Machine&) -> belay::Status {
    BELAY_RETURN_IF_ERROR(belay::atb_face::CheckPointer(context));
    return belay::atb_face::CreateDefault(context);
  });
}

Status CreateContext(Context** context, const std::function<void*(size_t)>& alloc,
                     const std::function<void(void*)>& dealloc) {
  return AtbCall({"CreateContext", belay::atb_face::kSource}, [&](Machine&) -> belay::Status {
    BELAY_RETURN_IF_ERROR(belay::atb_face::CheckPointer(context));
    if (static_cast<bool>(alloc) != static_cast<bool>(dealloc)) {
      return Refuse(Fault::kInvalidParam, "{} is empty; allowed both alloc and dealloc, or neither",
                    alloc ? "dealloc" : "alloc");
    }
    if (!alloc) return belay::atb_face::CreateDefault(context);
    std::function<void(void*)> give_back = dealloc;
    void* pool = nullptr;
    BELAY_RETURN_IF_ERROR(belay::atb_face::AllocatePool(alloc, pool));
    try {
      *context = LibraryContext::Pool().Create(pool, give_back);
    } catch (...) {
      dealloc(pool);
      throw;
    }
    return {};
  });
}

Status CreateContext(Context** context, uint32_t hostTilingBlockNum,
                     uint32_t deviceTilingBlockNum) {
  return AtbCall({"CreateContext", belay::atb_face::kSource}, [&](Machine&) -> belay::Status {
    BELAY_RETURN_IF_ERROR(belay::atb_face::CheckPointer(context));
    if (hostTilingBlockNum < belay::atb_face::kMinHostBlocks ||
        hostTilingBlockNum > belay::atb_face::kMaxBlocks) {
      return NotAllowed(Fault::kInvalidParam, "hostTilingBlockNum", hostTilingBlockNum,
                        "128 to 1024");
    }
    if (deviceTilingBlockNum < belay::atb_face::kDefaultDeviceBlocks ||
        deviceTilingBlockNum > belay::atb_face::kMaxBlocks) {
      return NotAllowed(Fault::kInvalidParam, "deviceTilingBlockNum", deviceTilingBlockNum,
                        "32 to 1024");
    }
    return belay::atb_face::CreateDefault(context);
  });
}

Status DestroyContext(Context* context) {
  return AtbCall({"DestroyContext", belay::atb_face::kSource}, [&](Machine&) -> belay::Status {
    // Null and classes of the program's own are left alone, as published.
    if (!LibraryContext::Pool().Owns(context)) return {};
    if (LibraryContext::Pool().Destroy(context)) return {};
    return Refuse(Fault::kInvalidParam, "context is already destroyed; allowed a live context");
  });
}

}  // namespace atb
