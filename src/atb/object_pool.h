// Storage for the objects that programs hold by pointer: operations and contexts.
//
// An object that is destroyed leaves a retired one of the same type in its place, which refuses
// every call, so a dangling pointer is answered instead of followed. Places are reused, the one
// that has been retired longest first; memory never goes back.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace belay::atb_face {

/// T() makes a retired object and must not throw.
template <class T>
class ObjectPool {
 public:
  constexpr ObjectPool() = default;
  ObjectPool(const ObjectPool&) = delete;
  ObjectPool& operator=(const ObjectPool&) = delete;

  /// Throws std::bad_alloc; then nothing has changed.
  template <class... Args>
  T* Create(Args&&... args) {
    Place& place = Take();
    place.object()->~T();
    try {
      ::new (static_cast<void*>(place.storage)) T(std::forward<Args>(args)...);
    } catch (...) {
      Retire(place);
      throw;
    }
    place.alive.store(true, std::memory_order_release);
    return place.object();
  }

  /// Whether the pointer is one that Create gave out, destroyed or not.
  [[nodiscard]] bool Owns(const void* pointer) const noexcept { return Find(pointer) != nullptr; }
  [[nodiscard]] bool IsAlive(const void* pointer) const noexcept {
    const Place* place = Find(pointer);
    return place != nullptr && place->alive.load(std::memory_order_acquire);
  }

  /// Ends a live object; false for any other pointer. Of several threads one succeeds.
  bool Destroy(const void* pointer) noexcept {
    Place* place = Find(pointer);
    if (place == nullptr || !place->alive.exchange(false, std::memory_order_acq_rel)) return false;
    place->object()->~T();
    Retire(*place);
    return true;
  }

  /// For T's operator delete: the destructor has run. Deleting what was already destroyed ended the
  /// retired object; its place is queued for reuse and must not be so twice.
  void TakeBack(void* pointer) noexcept {
    Place* place = Find(pointer);
    if (place->alive.exchange(false, std::memory_order_acq_rel)) {
      Retire(*place);
    } else {
      ::new (static_cast<void*>(place->storage)) T();
    }
  }

 private:
  static constexpr std::size_t kPlacesPerChunk = 32;
  static constexpr std::size_t kMaxChunks = 16384;

  struct Place {
    std::atomic<bool> alive{false};
    alignas(T) std::byte storage[sizeof(T)];

    Place() { ::new (static_cast<void*>(storage)) T(); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { object()->~T(); }
    T* object() noexcept { return std::launder(reinterpret_cast<T*>(storage)); }
  };

  Place* Find(const void* pointer) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    for (std::size_t i = 0; i < chunk_count_.load(std::memory_order_acquire); ++i) {
      Place* chunk = chunks_[i].load(std::memory_order_relaxed);
      const auto first = reinterpret_cast<std::uintptr_t>(chunk->storage);
      const std::uintptr_t distance = address - first;
      if (address < first || distance >= kPlacesPerChunk * sizeof(Place)) continue;
      return distance % sizeof(Place) == 0 ? chunk + distance / sizeof(Place) : nullptr;
    }
    return nullptr;
  }

  Place& Take() {
    const std::lock_guard lock(mutex_);
    if (free_count_ == 0) Grow();
    Place* place = free_[free_head_];
    free_head_ = (free_head_ + 1) % free_.size();
    --free_count_;
    return *place;
  }

  // Leaves a retired object in an empty place and queues the place for reuse.
  void Retire(Place& place) noexcept {
    ::new (static_cast<void*>(place.storage)) T();
    const std::lock_guard lock(mutex_);
    free_[(free_head_ + free_count_) % free_.size()] = &place;
    ++free_count_;
  }

  // Called with an empty queue.
  void Grow() {
    const std::size_t count = storage_.size();
    if (count == kMaxChunks) throw std::bad_alloc();
    std::vector<Place*> queue((count + 1) * kPlacesPerChunk);
    storage_.reserve(count + 1);
    storage_.push_back(std::make_unique<Place[]>(kPlacesPerChunk));
    Place* chunk = storage_.back().get();
    for (std::size_t i = 0; i < kPlacesPerChunk; ++i) queue[i] = chunk + i;
    free_ = std::move(queue);
    free_head_ = 0;
    free_count_ = kPlacesPerChunk;
    chunks_[count].store(chunk, std::memory_order_relaxed);
    chunk_count_.store(count + 1, std::memory_order_release);
  }

  std::array<std::atomic<Place*>, kMaxChunks> chunks_{};
  std::atomic<std::size_t> chunk_count_{0};
  std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<Place[]>> storage_;
  std::vector<Place*> free_;  // a ring, as long as there are places
  std::size_t free_head_ = 0;
  std::size_t free_count_ = 0;
};

/// A pool that is made without memory and never destroyed: static destructors may use its objects.
template <class T>
union LastingPool {
  constexpr LastingPool() : pool() {}
  LastingPool(const LastingPool&) = delete;
  LastingPool& operator=(const LastingPool&) = delete;
  ~LastingPool() {}

  ObjectPool<T> pool;
};

}  // namespace belay::atb_face
