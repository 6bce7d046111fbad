#include "runtime/copy_batch.h"

#include <string_view>
#include <utility>
#include <vector>

#include "runtime/copy_steps.h"
#include "runtime/machine.h"
#include "runtime/streams.h"

namespace belay::runtime {
namespace {

// aclrtMemLocationType's numbering.
constexpr std::int32_t kHost = 0;
constexpr std::int32_t kDevice = 1;

Copy EntryOf(const CopyBatch& batch, std::size_t i) {
  return {batch.dsts[i], batch.dst_maxs[i], batch.srcs[i], batch.sizes[i], CopyKind::kDefault};
}

// As for single copies.
bool HasNothingToDo(const Copy& copy) { return copy.count == 0 || copy.dst == copy.src; }

Status OfEntry(std::size_t i, const Status& status) {
  return Refuse(status.fault(), "entry {}: {}", i, status.message());
}

Status CheckAttributes(const CopyBatch& batch) {
  const std::span<const BatchAttribute> attributes = batch.attributes;
  if (attributes.front().first != 0) {
    return NotAllowed(Fault::kParamInvalid, "attrsIndexes[0]", attributes.front().first, "0");
  }
  for (std::size_t k = 1; k < attributes.size(); ++k) {
    const std::size_t first = attributes[k].first;
    if (first <= attributes[k - 1].first || first >= batch.count) {
      return Refuse(
          Fault::kParamInvalid,
          "attrsIndexes[{}] is {}; allowed above attrsIndexes[{}], which is {}, and below "
          "numBatches, which is {}",
          k, first, k - 1, attributes[k - 1].first, batch.count);
    }
  }
  return {};
}

Status CheckPlace(std::size_t k, std::string_view argument, const MemoryPlace& said,
                  const Place& place, const void* address) {
  if (said.type != kHost && said.type != kDevice) {
    return Refuse(Fault::kParamInvalid,
                  "attrs[{}].{}Loc.type is {}; allowed ACL_MEM_LOCATION_TYPE_HOST (0) and DEVICE "
                  "(1)",
                  k, argument, said.type);
  }
  const bool on_device = place.kind == PlaceKind::kDevice;
  const bool right = said.type == kHost ? !on_device
                                        : on_device && static_cast<std::int64_t>(place.device) ==
                                                           std::int64_t{said.id};
  if (right) return {};
  return Refuse(Fault::kParamInvalid, "{} is {}; allowed memory of {}, as attrs[{}].{}Loc says",
                argument, Machine::Get().memory().Describe(address),
                said.type == kHost ? Text("the host") : Text("device {}", said.id), k, argument);
}

/// The ends of all copies that have something to do.
StatusOr<std::vector<TransferEnds>> LocateAll(const CopyBatch& batch, const Worker& worker,
                                              std::size_t& failed) {
  std::vector<TransferEnds> all;
  std::size_t k = 0;
  for (std::size_t i = 0; i < batch.count; ++i) {
    if (k + 1 < batch.attributes.size() && batch.attributes[k + 1].first == i) ++k;
    const Copy copy = EntryOf(batch, i);
    if (HasNothingToDo(copy)) {
      all.emplace_back();
      continue;
    }
    failed = i;
    StatusOr<TransferEnds> ends = LocateEnds(AsRow(copy), worker);
    if (!ends) return Unexpected(OfEntry(i, ends.error()));
    const BatchAttribute& attribute = batch.attributes[k];
    Status status = CheckPlace(k, "dst", attribute.dst, ends->dst, copy.dst);
    if (status.ok()) status = CheckPlace(k, "src", attribute.src, ends->src, copy.src);
    if (!status.ok()) return Unexpected(OfEntry(i, status));
    all.push_back(std::move(*ends));
  }
  failed = kNoEntry;
  return all;
}

Status CheckEntries(const CopyBatch& batch, std::size_t& failed) {
  for (std::size_t i = 0; i < batch.count; ++i) {
    const Copy copy = EntryOf(batch, i);
    if (copy.count == 0) continue;
    if (Status status = CheckCopy(copy); !status.ok()) {
      failed = i;
      return OfEntry(i, status);
    }
  }
  return {};
}

// What an accelerator card's stream cannot do, as for single copies.
Status RefuseHostToHost(const std::vector<TransferEnds>& all, const CopyBatch& batch,
                        std::size_t& failed) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (HasNothingToDo(EntryOf(batch, i)) || all[i].dst.kind == PlaceKind::kDevice ||
        all[i].src.kind == PlaceKind::kDevice) {
      continue;
    }
    failed = i;
    return Refuse(Fault::kFeatureNotSupported,
                  "entry {}: dst and src are both memory of the host; allowed copies with a device "
                  "on one side, since the host of an accelerator card cannot be asked to copy in a "
                  "stream",
                  i);
  }
  return {};
}

}  // namespace

Status CopyNow(const CopyBatch& batch, CallSite site, std::size_t& failed) {
  failed = kNoEntry;
  BELAY_RETURN_IF_ERROR(CheckAttributes(batch));
  BELAY_RETURN_IF_ERROR(CheckEntries(batch, failed));
  const StatusOr<std::int32_t> device = CurrentDevice();
  if (!device) return device.error();
  const StatusOr<std::vector<TransferEnds>> all = LocateAll(batch, Worker{*device}, failed);
  if (!all) return all.error();
  for (std::size_t i = 0; i < batch.count; ++i) {
    const Copy copy = EntryOf(batch, i);
    if (HasNothingToDo(copy)) continue;
    failed = i;
    BELAY_RETURN_IF_ERROR(RunNow(PlanCopy(AsRow(copy), (*all)[i]).launch, site));
  }
  return {};
}

Status CopyInStream(const CopyBatch& batch, const void* stream, std::size_t& failed) {
  failed = kNoEntry;
  BELAY_RETURN_IF_ERROR(CheckAttributes(batch));
  BELAY_RETURN_IF_ERROR(CheckEntries(batch, failed));
  const StatusOr<Ref<Stream>> found = FindStream(stream);
  if (!found) return found.error();
  StatusOr<std::vector<TransferEnds>> all =
      LocateAll(batch, Worker{(*found)->device, /*is_stream=*/true}, failed);
  if (!all) return all.error();
  BELAY_RETURN_IF_ERROR(RefuseHostToHost(*all, batch, failed));
  bool pageable = false;
  for (std::size_t i = 0; i < batch.count; ++i) {
    const Copy copy = EntryOf(batch, i);
    if (HasNothingToDo(copy)) continue;
    failed = i;
    // From here the stream alone holds the blocks.
    const TransferEnds ends = std::move((*all)[i]);
    if (ends.TouchPageableHost()) {
      if (!pageable) BELAY_RETURN_IF_ERROR(RefuseInside(**found));
      pageable = true;
    }
    BELAY_RETURN_IF_ERROR(Stream::Submit(*found, PlanCopy(AsRow(copy), ends)));
  }
  failed = kNoEntry;
  return pageable ? WaitUnseen(*found) : Status();
}

}  // namespace belay::runtime
