#include "runtime/transfer.h"

#include <cstring>
#include <utility>

#include "base/checked_math.h"
#include "base/parallel.h"
#include "runtime/context.h"
#include "runtime/copy_steps.h"
#include "runtime/machine.h"
#include "runtime/streams.h"

namespace belay::runtime {
namespace {

// A thread copies at least this much, or it is not worth waking.
constexpr std::size_t kParallelGrain = std::size_t{1} << 20;

constexpr std::size_t kMaxHeight = 5242880;
constexpr std::size_t kMaxWidth = 5000000;

struct CopyParameters {
  std::size_t dst_pitch;
  std::size_t src_pitch;
  std::size_t width;
  std::size_t height;
};

struct FillParameters {
  std::size_t count;
  std::uint8_t value;
};

void CopyBytes(std::byte* dst, const std::byte* src, std::size_t count) {
  const bool overlap = dst < src + count && src < dst + count;
  if (overlap) {
    std::memmove(dst, src, count);
    return;
  }
  ParallelFor(count, kParallelGrain, [dst, src](std::size_t begin, std::size_t end) {
    std::memcpy(dst + begin, src + begin, end - begin);
  });
}

Status RunCopy(const Plan& plan, std::span<void* const> addresses) {
  const auto& p = plan.Parameters<CopyParameters>();
  auto* dst = static_cast<std::byte*>(addresses[0]);
  const auto* src = static_cast<const std::byte*>(addresses[1]);
  if (p.height == 1 || (p.dst_pitch == p.width && p.src_pitch == p.width)) {
    CopyBytes(dst, src, p.width * p.height);
    return {};
  }
  for (std::size_t row = 0; row < p.height; ++row) {
    std::memmove(dst + row * p.dst_pitch, src + row * p.src_pitch, p.width);
  }
  return {};
}

Status RunFill(const Plan& plan, std::span<void* const> addresses) {
  const auto& p = plan.Parameters<FillParameters>();
  auto* address = static_cast<std::byte*>(addresses[0]);
  ParallelFor(p.count, kParallelGrain, [address, &p](std::size_t begin, std::size_t end) {
    std::memset(address + begin, p.value, end - begin);
  });
  return {};
}

/// Bytes from the first row's begin to the last row's end; nothing when that wraps.
std::optional<std::size_t> ExtentOf(const Copy2d& copy, std::size_t pitch) {
  const std::optional<std::size_t> last_row = CheckedMultiply(copy.height - 1, pitch);
  return last_row ? CheckedAdd(*last_row, copy.width) : std::nullopt;
}

// Whether the device that does the work may touch the memory at this end.
Status CheckReach(const Place& place, std::string_view argument, const void* address,
                  const Worker& worker) {
  Machine& machine = Machine::Get();
  if (place.kind != PlaceKind::kDevice) return {};
  if (machine.device(worker.device).Reaches(place.device)) return {};
  return Refuse(Fault::kParamInvalid,
                "{} is {}; allowed host memory, memory of device {}, or peer access to device {} "
                "(aclrtDeviceEnablePeerAccess)",
                argument, machine.memory().Describe(address), worker.device, place.device);
}

/// A launch ready to go, and what lies at its two ends.
struct Transfer {
  LaunchTask task;
  TransferEnds ends;
};

StatusOr<Transfer> PlanCopy(const Copy2d& copy, const Worker& worker) {
  StatusOr<TransferEnds> ends = LocateEnds(copy, worker);
  if (!ends) return Unexpected(std::move(ends).error());
  LaunchTask task = PlanCopy(copy, *ends);
  return Transfer{std::move(task), std::move(*ends)};
}

StatusOr<Transfer> PlanFill(const Fill& fill, const Worker& worker) {
  Transfer transfer;
  StatusOr<Place> dst = Machine::Get().memory().Locate("devPtr", fill.address, fill.count);
  if (!dst) return Unexpected(dst.error());
  if (worker.is_stream) {
    Status status = CheckReach(*dst, "devPtr", fill.address, worker);
    if (!status.ok()) return Unexpected(std::move(status));
  }
  transfer.ends = {*dst, *dst};
  Plan& plan = transfer.task.launch.plan;
  plan.operation = "fill";
  plan.kernel = "memset";
  plan.run = RunFill;
  plan.AddAccess({"devPtr", 0, AccessMode::kWrite, 0, fill.count});
  plan.EmplaceParameters<FillParameters>(fill.count, static_cast<std::uint8_t>(fill.value));
  transfer.task.launch.addresses[0] = fill.address;
  transfer.task.blocks[0] = std::move(dst->block);
  return transfer;
}

Status CheckFill(const Fill& fill) {
  if (fill.address == nullptr) return NullPointer("devPtr");
  if (fill.count > fill.max_count) {
    return Refuse(Fault::kParamInvalid, "count is {}; allowed up to maxCount, which is {}",
                  fill.count, fill.max_count);
  }
  return {};
}

Status CheckCopy2d(const Copy2d& copy) {
  if (copy.dst == nullptr) return NullPointer("dst");
  if (copy.src == nullptr) return NullPointer("src");
  if (copy.width > copy.src_pitch || copy.width > copy.dst_pitch) {
    return Refuse(Fault::kInvalidParam,
                  "width is {}; allowed up to the pitches, which are dpitch {} and spitch {}",
                  copy.width, copy.dst_pitch, copy.src_pitch);
  }
  switch (copy.kind) {
    case CopyKind::kHostToDevice:
    case CopyKind::kDeviceToHost:
    case CopyKind::kDeviceToDevice:
    case CopyKind::kDefault:
      return {};
    default:
      return Refuse(Fault::kInvalidParam,
                    "kind is not supported for rows; allowed ACL_MEMCPY_HOST_TO_DEVICE, "
                    "DEVICE_TO_HOST, DEVICE_TO_DEVICE and DEFAULT");
  }
}

Status CheckSize2d(const Copy2d& copy) {
  if (copy.height > kMaxHeight) {
    return NotAllowed(Fault::kParamInvalid, "height", copy.height, "up to 5242880");
  }
  if (copy.width > kMaxWidth) {
    return NotAllowed(Fault::kParamInvalid, "width", copy.width, "up to 5000000");
  }
  return {};
}

Worker OfStream(const Stream& stream) { return {stream.device, /*is_stream=*/true}; }

Status RunInStream(StatusOr<Transfer> transfer, const Ref<Stream>& stream) {
  if (!transfer) return transfer.error();
  const bool pageable = transfer->ends.TouchPageableHost();
  if (pageable) BELAY_RETURN_IF_ERROR(RefuseInside(*stream));
  BELAY_RETURN_IF_ERROR(Stream::Submit(stream, std::move(transfer->task)));
  return pageable ? WaitUnseen(stream) : Status();
}

}  // namespace

Status CheckCopy(const Copy& copy) {
  if (copy.dst == nullptr) return NullPointer("dst");
  if (copy.src == nullptr) return NullPointer("src");
  if (copy.kind == CopyKind::kUnsupported) {
    return Refuse(Fault::kInvalidParam,
                  "kind is not supported; allowed ACL_MEMCPY_HOST_TO_HOST, HOST_TO_DEVICE, "
                  "DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT and HOST_TO_BUF_TO_DEVICE (0 to 5)");
  }
  if (copy.count > copy.dst_max) {
    return Refuse(Fault::kParamInvalid, "count is {}; allowed up to destMax, which is {}",
                  copy.count, copy.dst_max);
  }
  return {};
}

StatusOr<std::int32_t> CurrentDevice() {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  return (*current)->device;
}

StatusOr<TransferEnds> LocateEnds(const Copy2d& copy, const Worker& worker) {
  const std::optional<std::size_t> dst_bytes = ExtentOf(copy, copy.dst_pitch);
  const std::optional<std::size_t> src_bytes = ExtentOf(copy, copy.src_pitch);
  if (!dst_bytes || !src_bytes) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "{} rows with pitches {} and {} do not fit into memory; allowed rows "
                             "inside the blocks of dst and src",
                             copy.height, copy.dst_pitch, copy.src_pitch));
  }
  const MemoryMap& memory = Machine::Get().memory();
  StatusOr<Place> dst = memory.Locate("dst", copy.dst, *dst_bytes);
  if (!dst) return Unexpected(dst.error());
  StatusOr<Place> src = memory.Locate("src", copy.src, *src_bytes);
  if (!src) return Unexpected(src.error());
  if (worker.is_stream || (dst->kind == PlaceKind::kDevice && src->kind == PlaceKind::kDevice)) {
    Status status = CheckReach(*dst, "dst", copy.dst, worker);
    if (status.ok()) status = CheckReach(*src, "src", copy.src, worker);
    if (!status.ok()) return Unexpected(std::move(status));
  }
  return TransferEnds{std::move(*dst), std::move(*src)};
}

LaunchTask PlanCopy(const Copy2d& copy, const TransferEnds& ends) {
  LaunchTask task;
  Plan& plan = task.launch.plan;
  plan.operation = "copy";
  plan.kernel = copy.height == 1 ? "memcpy" : "memmove by rows";
  plan.run = RunCopy;
  plan.AddAccess({"dst", 0, AccessMode::kWrite, 0, ExtentOf(copy, copy.dst_pitch).value_or(0)});
  plan.AddAccess({"src", 1, AccessMode::kRead, 0, ExtentOf(copy, copy.src_pitch).value_or(0)});
  plan.EmplaceParameters<CopyParameters>(copy.dst_pitch, copy.src_pitch, copy.width, copy.height);
  task.launch.addresses[0] = copy.dst;
  task.launch.addresses[1] = const_cast<void*>(copy.src);
  task.blocks[0] = ends.dst.block;
  task.blocks[1] = ends.src.block;
  return task;
}

Status RunNow(const Launch& launch, CallSite site) {
  if (Observer* observer = Machine::Get().observer(); observer != nullptr) {
    observer->OnHostLaunch(launch, site.number);
  }
  return launch.Run();
}

Status WaitUnseen(const Ref<Stream>& stream) {
  const bool ending =
      stream->WaitFor(stream->Submitted(), std::nullopt) == WaitResult::kProcessEnding;
  return ending ? ProcessEnding() : Status();
}

Status CopyNow(const Copy& copy, CallSite site) {
  if (copy.count == 0) return {};
  BELAY_RETURN_IF_ERROR(CheckCopy(copy));
  if (copy.dst == copy.src) return {};
  const StatusOr<std::int32_t> device = CurrentDevice();
  if (!device) return device.error();
  const StatusOr<Transfer> transfer = PlanCopy(AsRow(copy), Worker{*device});
  return transfer ? RunNow(transfer->task.launch, site) : transfer.error();
}

Status CopyNow(const Copy2d& copy, CallSite site) {
  if (copy.width == 0 || copy.height == 0) return {};
  BELAY_RETURN_IF_ERROR(CheckCopy2d(copy));
  if (copy.kind == CopyKind::kDeviceToDevice) {
    return Refuse(Fault::kFeatureNotSupported,
                  "kind is ACL_MEMCPY_DEVICE_TO_DEVICE; allowed between host and device "
                  "(aclrtMemcpy2dAsync copies within a device)");
  }
  BELAY_RETURN_IF_ERROR(CheckSize2d(copy));
  const StatusOr<std::int32_t> device = CurrentDevice();
  if (!device) return device.error();
  const StatusOr<Transfer> transfer = PlanCopy(copy, Worker{*device});
  if (!transfer) return transfer.error();
  const bool dst_on_device = transfer->ends.dst.kind == PlaceKind::kDevice;
  const bool src_on_device = transfer->ends.src.kind == PlaceKind::kDevice;
  if (copy.kind == CopyKind::kDefault && dst_on_device == src_on_device) {
    return Refuse(Fault::kParamInvalid,
                  "kind is ACL_MEMCPY_DEFAULT and dst and src are both {} memory; allowed one of "
                  "the host and one of a device",
                  dst_on_device ? "device" : "host");
  }
  return RunNow(transfer->task.launch, site);
}

Status FillNow(const Fill& fill, CallSite site) {
  if (fill.count == 0) return {};
  BELAY_RETURN_IF_ERROR(CheckFill(fill));
  const StatusOr<std::int32_t> device = CurrentDevice();
  if (!device) return device.error();
  const StatusOr<Transfer> transfer = PlanFill(fill, Worker{*device});
  return transfer ? RunNow(transfer->task.launch, site) : transfer.error();
}

Status CopyInStream(const Copy& copy, const void* stream) {
  if (copy.count == 0) return {};
  BELAY_RETURN_IF_ERROR(CheckCopy(copy));
  if (copy.kind == CopyKind::kHostToHost) {
    return Refuse(Fault::kFeatureNotSupported,
                  "kind is ACL_MEMCPY_HOST_TO_HOST; allowed kinds with a device on one side, since "
                  "the host of an accelerator card cannot be asked to copy in a stream");
  }
  const StatusOr<Ref<Stream>> found = FindStream(stream);
  if (!found) return found.error();
  return RunInStream(PlanCopy(AsRow(copy), OfStream(**found)), *found);
}

Status CopyInStream(const Copy2d& copy, const void* stream) {
  if (copy.width == 0 || copy.height == 0) return {};
  BELAY_RETURN_IF_ERROR(CheckCopy2d(copy));
  BELAY_RETURN_IF_ERROR(CheckSize2d(copy));
  const StatusOr<Ref<Stream>> found = FindStream(stream);
  if (!found) return found.error();
  return RunInStream(PlanCopy(copy, OfStream(**found)), *found);
}

Status FillInStream(const Fill& fill, const void* stream) {
  if (fill.count == 0) return {};
  BELAY_RETURN_IF_ERROR(CheckFill(fill));
  const StatusOr<Ref<Stream>> found = FindStream(stream);
  if (!found) return found.error();
  return RunInStream(PlanFill(fill, OfStream(**found)), *found);
}

}  // namespace belay::runtime
