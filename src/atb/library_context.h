// The library's own atb::Context: the streams that operations run on.
#pragma once

#include <functional>
#include <vector>

#include "atb/context.h"
#include "atb/object_pool.h"
#include "base/status.h"

namespace belay::atb_face {

class LibraryContext final : public ::atb::Context {
 public:
  /// A retired context, as it stays behind after DestroyContext: every call is refused.
  LibraryContext() noexcept = default;
  /// `pool` is what `dealloc` takes back in the end; nothing of it is used.
  LibraryContext(void* pool, std::function<void(void*)> dealloc)
      : alive_(true), pool_(pool), dealloc_(std::move(dealloc)), streams_{nullptr} {}
  LibraryContext(const LibraryContext&) = delete;
  LibraryContext& operator=(const LibraryContext&) = delete;
  ~LibraryContext() override;

  /// Programs may delete a context instead of calling DestroyContext.
  static void operator delete(void* pointer) noexcept;
  static void* operator new(std::size_t, void* place) noexcept { return place; }

  ::atb::Status SetExecuteStream(aclrtStream stream) override;
  aclrtStream GetExecuteStream() const override;
  ::atb::Status SetAsyncTilingCopyStatus(bool enable) override;
  bool GetAsyncTilingCopyStatus() const override;
  ::atb::Status SetExecuteStreams(const std::vector<aclrtStream>& streams) override;
  std::vector<aclrtStream> GetExecuteStreams() override;
  ::atb::Status SetExecuteType(::atb::ExecuteType type) override;
  ::atb::ExecuteType GetExecuteType() override;
  ::atb::Status SetLaunchMode(::atb::LaunchMode mode) override;
  ::atb::LaunchMode GetLaunchMode() override;

  [[nodiscard]] std::size_t StreamCount() const noexcept { return streams_.size(); }
  [[nodiscard]] aclrtStream StreamAt(std::size_t id) const noexcept { return streams_[id]; }

  static ObjectPool<LibraryContext>& Pool() noexcept;

 private:
  [[nodiscard]] Status RequireAlive() const;

  bool alive_ = false;
  void* pool_ = nullptr;
  std::function<void(void*)> dealloc_;
  std::vector<aclrtStream> streams_;
  ::atb::LaunchMode launch_mode_ = ::atb::KERNEL_LAUNCH_MODE;
  bool async_tiling_copy_ = false;
};

/// The library's context behind a pointer; null for null, foreign and destroyed ones.
LibraryContext* FindContext(const ::atb::Context* context) noexcept;
/// What a context pointer that FindContext does not know is, for messages.
const char* DescribeBadContext(const ::atb::Context* context) noexcept;

}  // namespace belay::atb_face
