#include "aclnn/index_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"

namespace belay::test {
namespace {

struct DestroyTensor {
  void operator()(aclTensor* tensor) const { EXPECT_EQ(aclDestroyTensor(tensor), 0); }
};
struct DestroyScalar {
  void operator()(aclScalar* scalar) const { EXPECT_EQ(aclDestroyScalar(scalar), 0); }
};

// A view on the device.
class DeviceView {
 public:
  explicit DeviceView(const View& view)
      : view_(view),
        block_(std::max<std::size_t>(view.storage.size(), 1)),
        storage_{static_cast<std::int64_t>(view.storage.size() / ItemBytesOf(view.type))} {
    if (!view.storage.empty()) block_.Write(view.storage);
    tensor_.reset(aclCreateTensor(view.dims.data(), view.dims.size(), view.type,
                                  view.strides.data(), view.offset, view.format, storage_.data(),
                                  storage_.size(), block_.get()));
    EXPECT_NE(tensor_, nullptr);
  }

  [[nodiscard]] aclTensor* get() const { return tensor_.get(); }
  [[nodiscard]] Bytes Read() const { return block_.Read(view_.storage.size()); }
  [[nodiscard]] bool IsUnchanged() const { return Read() == view_.storage; }

 private:
  const View& view_;
  Block block_;
  Shape storage_;
  std::unique_ptr<aclTensor, DestroyTensor> tensor_;
};

// The objects of a call, alive for as long as it takes.
class Call {
 public:
  explicit Call(const IndexCase& call)
      : call_(call), self_(call.self), index_(call.index), source_(call.source) {
    if (!IsInPlace() && !call.self_is_out) out_.emplace(call.out);
    Bytes alpha = call.alpha.bytes;
    alpha_.reset(aclCreateScalar(alpha.data(), call.alpha.type));
  }

  aclnnStatus PhaseOne(uint64_t* size, aclOpExecutor** executor) {
    aclTensor* const out = Written().get();
    aclTensor* const index = call_.index_is_out ? out : index_.get();
    aclTensor* const source = call_.source_is_out ? out : source_.get();
    switch (call_.op) {
      case IndexOp::kAdd:
        return aclnnIndexAddGetWorkspaceSize(self_.get(), call_.dim, index, source, alpha_.get(),
                                             out, size, executor);
      case IndexOp::kAddV2:
        return aclnnIndexAddV2GetWorkspaceSize(self_.get(), call_.dim, index, source, alpha_.get(),
                                               call_.mode, out, size, executor);
      case IndexOp::kCopy:
        return aclnnIndexCopyGetWorkspaceSize(self_.get(), call_.dim, index, source, out, size,
                                              executor);
      default:
        return aclnnInplaceIndexCopyGetWorkspaceSize(self_.get(), call_.dim, index, source, size,
                                                     executor);
    }
  }

  aclnnStatus PhaseTwo(void* workspace, uint64_t size, aclOpExecutor* executor) const {
    switch (call_.op) {
      case IndexOp::kAdd:
        return aclnnIndexAdd(workspace, size, executor, nullptr);
      case IndexOp::kAddV2:
        return aclnnIndexAddV2(workspace, size, executor, nullptr);
      case IndexOp::kCopy:
        return aclnnIndexCopy(workspace, size, executor, nullptr);
      default:
        return aclnnInplaceIndexCopy(workspace, size, executor, nullptr);
    }
  }

  [[nodiscard]] const DeviceView& Written() const { return out_ ? *out_ : self_; }
  [[nodiscard]] bool InputsAreUnchanged() const {
    return (!out_ || self_.IsUnchanged()) && index_.IsUnchanged() && source_.IsUnchanged();
  }

 private:
  [[nodiscard]] bool IsInPlace() const { return call_.op == IndexOp::kInplaceCopy; }

  const IndexCase& call_;
  DeviceView self_;
  DeviceView index_;
  DeviceView source_;
  std::optional<DeviceView> out_;
  std::unique_ptr<aclScalar, DestroyScalar> alpha_;
};

}  // namespace

IndexResult RunCall(const IndexCase& call) {
  IndexResult result;
  Call made(call);
  aclOpExecutor* executor = nullptr;
  result.phase_one = made.PhaseOne(&result.workspace_size, &executor);
  if (result.phase_one == 0) {
    std::optional<Block> workspace;
    if (result.workspace_size != 0) workspace.emplace(result.workspace_size);
    result.phase_two =
        made.PhaseTwo(workspace ? workspace->get() : nullptr, result.workspace_size, executor);
    result.wait = aclrtSynchronizeStream(nullptr);
  }
  result.out = made.Written().Read();
  result.inputs_unchanged = made.InputsAreUnchanged();
  return result;
}

aclnnStatus PhaseOneOf(const IndexCase& call) {
  Call made(call);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const aclnnStatus status = made.PhaseOne(&size, &executor);
  if (status == 0) {
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  } else {
    EXPECT_EQ(executor, nullptr);
  }
  return status;
}

}  // namespace belay::test
