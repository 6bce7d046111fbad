// Handles: what a program holds instead of a pointer to a stream, event, context or buffer.
//
// A handle is a number in a void*: tag, kind, generation and slot. It is never dereferenced, so a
// null, foreign, stale or doubly destroyed handle is recognised instead of followed, and a handle
// of a destroyed object is never taken for that of a later one. Reading such a pointer traps.
//
// Objects are reference counted in one atomic word per slot. Acquire and release take no lock, nor
// does making an object in a slot that has been used before; a retired object lives until its last
// Ref is gone, which is how queued work keeps events alive.
//
// Tables with a Watch can be looked at without references as well, which spares calls that need
// many objects for a moment two atomic operations each.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/export.h"
#include "base/status.h"
#include "runtime/read_mostly_mutex.h"

namespace belay::runtime {

enum class HandleKind : std::uint8_t {
  kContext = 1,
  kStream,
  kEvent,
  kDataBuffer,
  kTensor,
  kScalar,
  kIntArray,
  kFloatArray,
  kBoolArray,
  kTensorList,
  kScalarList,
  kOpExecutor,
  kPhysicalMemory,
  kTensorDesc,
};

/// "stream", "event", ...
BELAY_EXPORT std::string_view Name(HandleKind kind) noexcept;

/// The parts of a handle. Layout, high to low: 8 bits tag, 4 kind, 28 generation, 24 slot.
struct HandleParts {
  HandleKind kind;
  std::uint32_t generation;
  std::uint32_t slot;

  static constexpr std::uint64_t kTag = 0x5B;
  static constexpr std::uint32_t kGenerationMask = (1U << 28) - 1;
  static constexpr std::uint32_t kSlotMask = (1U << 24) - 1;

  [[nodiscard]] void* Encode() const noexcept {
    const std::uint64_t word = kTag << 56 | static_cast<std::uint64_t>(kind) << 52 |
                               static_cast<std::uint64_t>(generation & kGenerationMask) << 24 |
                               (slot & kSlotMask);
    return reinterpret_cast<void*>(word);
  }
  /// False when the pointer is not a handle at all.
  [[nodiscard]] static bool Decode(const void* handle, HandleParts& parts) noexcept {
    const auto word = reinterpret_cast<std::uint64_t>(handle);
    if (word >> 56 != kTag) return false;
    parts.kind = static_cast<HandleKind>(word >> 52 & 0xF);
    parts.generation = static_cast<std::uint32_t>(word >> 24) & kGenerationMask;
    parts.slot = static_cast<std::uint32_t>(word) & kSlotMask;
    return true;
  }
};

/// Says what a refused handle is: "an event handle", "already destroyed", "not a handle". `ended`
/// says what became of one that is stale.
BELAY_EXPORT std::string DescribeBadHandle(
    const void* handle, HandleKind expected,
    std::string_view ended = "is already destroyed") noexcept;

/// More objects of a kind than a process may have.
struct HandlesUsedUp : std::bad_alloc {
  [[nodiscard]] const char* what() const noexcept override {
    return "2097152 objects of the kind are there already; allowed to make one after another is "
           "destroyed";
  }
};

/// What tables share whose objects are looked at without references.
class Watch {
 public:
  /// While it is held, what HandleTable::Look gave stays. Its thread must not end objects of these
  /// tables meanwhile.
  using Looking = std::shared_lock<ReadMostlyMutex>;
  [[nodiscard]] Looking Look() { return Looking(mutex_); }

  /// Rises when an object of one of the tables ends: while it stands still, a handle that was alive
  /// still is.
  [[nodiscard]] std::uint64_t endings() const noexcept {
    return endings_.load(std::memory_order_acquire);
  }

 private:
  template <class T>
  friend class HandleTable;

  void CountEnding() noexcept { endings_.fetch_add(1, std::memory_order_acq_rel); }

  ReadMostlyMutex mutex_;
  std::atomic<std::uint64_t> endings_{0};
};

template <class T>
class HandleTable;

/// A counted reference to an object in a HandleTable; empty or alive.
template <class T>
class Ref {
 public:
  Ref() noexcept = default;
  Ref(const Ref& other) noexcept : table_(other.table_), slot_(other.slot_) {
    if (slot_ != nullptr)
      slot_->state.fetch_add(HandleTable<T>::kOneRef, std::memory_order_relaxed);
  }
  Ref(Ref&& other) noexcept
      : table_(std::exchange(other.table_, nullptr)), slot_(std::exchange(other.slot_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(table_, other.table_);
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~Ref() { Reset(); }

  void Reset() noexcept {
    if (slot_ != nullptr) table_->Release(*slot_);
    slot_ = nullptr;
    table_ = nullptr;
  }

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  [[nodiscard]] T* get() const noexcept { return slot_ == nullptr ? nullptr : slot_->object(); }
  T* operator->() const noexcept { return slot_->object(); }
  T& operator*() const noexcept { return *slot_->object(); }
  /// The handle a program knows the object by.
  [[nodiscard]] void* handle() const noexcept {
    return slot_ == nullptr ? nullptr : table_->HandleOf(*slot_);
  }

 private:
  friend class HandleTable<T>;
  Ref(HandleTable<T>* table, typename HandleTable<T>::Slot* slot) noexcept
      : table_(table), slot_(slot) {}

  HandleTable<T>* table_ = nullptr;
  typename HandleTable<T>::Slot* slot_ = nullptr;
};

/// All objects of one kind. Slots are made in chunks and never given back, so looking at a stale
/// slot is always safe.
template <class T>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind, Watch* watch = nullptr) noexcept
      : kind_(kind), watch_(watch) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  /// Makes an object. Throws std::bad_alloc; then nothing has changed.
  template <class... Args>
  Ref<T> Create(Args&&... args) {
    Slot* slot = TakeSlot();
    try {
      ::new (static_cast<void*>(slot->storage)) T(std::forward<Args>(args)...);
    } catch (...) {
      GiveSlot(*slot);
      throw;
    }
    // One reference for the table (given up by Retire), one for the caller.
    Publish(*slot, 2);
    return Ref<T>(this, slot);
  }

  /// Makes an object for `fill(object)` to complete before anybody sees it, and returns its handle.
  /// Throws std::bad_alloc; then nothing has changed.
  template <class Fill, class... Args>
  requires std::is_nothrow_constructible_v<T, Args...> && std::is_nothrow_invocable_v<Fill&, T&>
  void* CreateFilled(Fill fill, Args&&... args) {
    Slot* slot = TakeSlot();
    ::new (static_cast<void*>(slot->storage)) T(std::forward<Args>(args)...);
    fill(*slot->object());
    Publish(*slot, 1);
    return HandleOf(*slot);
  }

  /// The object of a live handle, else an empty Ref.
  [[nodiscard]] Ref<T> Acquire(const void* handle) noexcept {
    Slot* slot = Find(handle);
    if (slot == nullptr) return {};
    const std::uint64_t generation = GenerationOf(handle);
    std::uint64_t state = slot->state.load(std::memory_order_acquire);
    do {
      if ((state & kGenerationField) != generation || (state & kAlive) == 0) return {};
    } while (!slot->state.compare_exchange_weak(state, state + kOneRef, std::memory_order_acq_rel,
                                                std::memory_order_acquire));
    return Ref<T>(this, slot);
  }

  /// The object of a live handle, else null; it stays while `looking` at the table's Watch.
  [[nodiscard]] const T* Look(const Watch::Looking& /*looking*/, const void* handle) noexcept {
    Slot* slot = Find(handle);
    return slot != nullptr && IsAlive(*slot, handle) ? slot->object() : nullptr;
  }

  /// Whether the handle is alive now. Writes nothing, so threads that ask do not disturb each
  /// other.
  [[nodiscard]] bool IsAlive(const void* handle) noexcept {
    const Slot* slot = Find(handle);
    return slot != nullptr && IsAlive(*slot, handle);
  }

  /// Ends the handle: of several callers exactly one gets the object, which then lives as long as
  /// somebody holds a Ref. Empty when the handle is not alive. `ending` is a literal: what Describe
  /// says of the handle from now on.
  [[nodiscard]] Ref<T> Retire(const void* handle,
                              const char* ending = "is already destroyed") noexcept {
    Slot* slot = Find(handle);
    if (slot == nullptr) return {};
    const std::uint64_t generation = GenerationOf(handle);
    std::uint64_t state = slot->state.load(std::memory_order_acquire);
    do {
      if ((state & kGenerationField) != generation || (state & kAlive) == 0) return {};
    } while (!slot->state.compare_exchange_weak(state, state & ~kAlive, std::memory_order_seq_cst,
                                                std::memory_order_acquire));
    NoteEnding(*slot, ending);
    return Ref<T>(this, slot);  // the table's own reference changes hands
  }

  /// The same for an object that the caller holds already: whether it was the caller who ended it.
  [[nodiscard]] bool Retire(const Ref<T>& held,
                            const char* ending = "is already destroyed") noexcept {
    Slot& slot = *held.slot_;
    std::uint64_t state = slot.state.load(std::memory_order_acquire);
    do {
      if ((state & kAlive) == 0) return false;
    } while (!slot.state.compare_exchange_weak(
        state, (state & ~kAlive) - kOneRef, std::memory_order_seq_cst, std::memory_order_acquire));
    NoteEnding(slot, ending);
    return true;
  }

  /// What a handle that is not alive is. Of a stale one the place remembers the last ending only;
  /// which is its own, unless it has been used again meanwhile.
  [[nodiscard]] std::string Describe(const void* handle) noexcept {
    const Slot* slot = Find(handle);
    if (slot == nullptr) return DescribeBadHandle(handle, kind_);
    const std::uint64_t now = slot->state.load(std::memory_order_acquire) & kGenerationField;
    const std::uint64_t then = GenerationOf(handle);
    const std::uint64_t next = then + (std::uint64_t{1} << kGenerationShift);
    const char* const ending = slot->ending.load(std::memory_order_relaxed);
    if (ending == nullptr || (now != then && now != next)) return DescribeBadHandle(handle, kind_);
    return DescribeBadHandle(handle, kind_, ending);
  }

  /// Calls visit(ref) for all objects alive now. Allocates nothing and holds no lock meanwhile.
  template <class Visit>
  void ForEach(Visit visit) {
    ForEachWith(kAlive, visit);
  }
  /// The same, and for retired objects that somebody still holds.
  template <class Visit>
  void ForEachHeld(Visit visit) {
    ForEachWith(kReferences, visit);
  }

  /// References to all objects alive now.
  [[nodiscard]] std::vector<Ref<T>> All() {
    std::vector<Ref<T>> all;
    ForEach([&all](Ref<T> object) { all.push_back(std::move(object)); });
    return all;
  }

  [[nodiscard]] HandleKind kind() const noexcept { return kind_; }

 private:
  friend class Ref<T>;

  // Slot state: 28 bits generation, 35 bits references, 1 bit alive. What is alive has at least one
  // reference, the table's own.
  static constexpr std::uint64_t kAlive = 1;
  static constexpr std::uint64_t kOneRef = 2;
  static constexpr unsigned kGenerationShift = 36;
  static constexpr std::uint64_t kGenerationField = ~std::uint64_t{0} << kGenerationShift;
  static constexpr std::uint64_t kReferences = ~kGenerationField & ~kAlive;
  static constexpr std::uint32_t kSlotsPerChunk = 256;
  static constexpr std::uint32_t kMaxChunks = 8192;
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  struct Slot {
    std::atomic<std::uint64_t> state{std::uint64_t{1} << kGenerationShift};
    std::uint32_t index = 0;
    std::atomic<std::uint32_t> next_free{kNoSlot};
    std::atomic<const char*> ending{nullptr};
    alignas(T) std::byte storage[sizeof(T)];

    T* object() noexcept { return std::launder(reinterpret_cast<T*>(storage)); }
  };

  // Visits the objects whose state has any of the bits.
  template <class Visit>
  void ForEachWith(std::uint64_t bits, Visit& visit) {
    const std::uint32_t used = used_.load(std::memory_order_acquire);
    for (std::uint32_t index = 0; index < used; ++index) {
      Slot& slot = *SlotAt(index);
      std::uint64_t state = slot.state.load(std::memory_order_acquire);
      while ((state & bits) != 0) {
        if (slot.state.compare_exchange_weak(state, state + kOneRef, std::memory_order_acq_rel,
                                             std::memory_order_acquire)) {
          visit(Ref<T>(this, &slot));
          break;
        }
      }
    }
  }

  static std::uint64_t GenerationOf(const void* handle) noexcept {
    HandleParts parts{};
    (void)HandleParts::Decode(handle, parts);
    return static_cast<std::uint64_t>(parts.generation) << kGenerationShift;
  }

  [[nodiscard]] void* HandleOf(const Slot& slot) const noexcept {
    const std::uint64_t state = slot.state.load(std::memory_order_relaxed);
    return HandleParts{kind_, static_cast<std::uint32_t>(state >> kGenerationShift), slot.index}
        .Encode();
  }

  Slot* SlotAt(std::uint32_t index) noexcept {
    Slot* chunk = chunks_[index / kSlotsPerChunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + index % kSlotsPerChunk;
  }

  Slot* Find(const void* handle) noexcept {
    HandleParts parts{};
    if (!HandleParts::Decode(handle, parts) || parts.kind != kind_) return nullptr;
    if (parts.slot / kSlotsPerChunk >= kMaxChunks) return nullptr;
    return SlotAt(parts.slot);
  }

  // Who looks counts itself and then asks this; who ends an object clears the bit and then looks
  // for those who look. All of it is sequentially consistent, so one of the two sees the other.
  static bool IsAlive(const Slot& slot, const void* handle) noexcept {
    const std::uint64_t state = slot.state.load();
    return (state & kGenerationField) == GenerationOf(handle) && (state & kAlive) != 0;
  }

  void NoteEnding(Slot& slot, const char* ending) noexcept {
    slot.ending.store(ending, std::memory_order_relaxed);
    if (watch_ != nullptr) watch_->CountEnding();
  }

  void Release(Slot& slot) noexcept {
    const std::uint64_t before = slot.state.fetch_sub(kOneRef, std::memory_order_acq_rel);
    if ((before & ~kGenerationField) != kOneRef) return;  // others remain, or still alive
    if (watch_ != nullptr) watch_->mutex_.WaitForReaders();
    slot.object()->~T();
    // A new generation: the old handle is now stale for good. After the last one the slot is not
    // used again.
    const std::uint64_t generation =
        (before & kGenerationField) + (std::uint64_t{1} << kGenerationShift);
    slot.state.store(generation, std::memory_order_release);
    if (generation != 0) GiveSlot(slot);
  }

  void Publish(Slot& slot, std::uint64_t references) noexcept {
    const std::uint64_t generation = slot.state.load(std::memory_order_relaxed) & kGenerationField;
    slot.state.store(generation | kAlive | references * kOneRef, std::memory_order_release);
  }

  // The free slots are a stack. Its head counts its changes, so that a thread which was delayed
  // between looking and changing finds out, even if the same slot is on top again.
  static constexpr std::uint64_t HeadOf(std::uint64_t before, std::uint32_t index) noexcept {
    return ((before >> 32) + 1) << 32 | index;
  }

  Slot* TakeFree() noexcept {
    std::uint64_t head = free_.load(std::memory_order_acquire);
    for (;;) {
      const auto index = static_cast<std::uint32_t>(head);
      if (index == kNoSlot) return nullptr;
      // Its chunk is there: it was made before its slots were given.
      Slot* const slot =
          chunks_[index / kSlotsPerChunk].load(std::memory_order_acquire) + index % kSlotsPerChunk;
      const std::uint32_t next = slot->next_free.load(std::memory_order_relaxed);
      if (free_.compare_exchange_weak(head, HeadOf(head, next), std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
        return slot;
      }
    }
  }

  void GiveSlot(Slot& slot) noexcept {
    std::uint64_t head = free_.load(std::memory_order_relaxed);
    do {
      slot.next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    } while (!free_.compare_exchange_weak(head, HeadOf(head, slot.index), std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
  }

  Slot* TakeSlot() {
    Slot* const slot = TakeFreeOrNew();
    std::uint32_t used = used_.load(std::memory_order_relaxed);
    while (used <= slot->index &&
           !used_.compare_exchange_weak(used, slot->index + 1, std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
    }
    return slot;
  }

  Slot* TakeFreeOrNew() {
    if (Slot* const slot = TakeFree()) return slot;
    const std::lock_guard lock(mutex_);
    if (Slot* const slot = TakeFree()) return slot;  // another thread has made some
    const std::uint32_t chunk = made_ / kSlotsPerChunk;
    if (chunk >= kMaxChunks) throw HandlesUsedUp();
    storage_.reserve(storage_.size() + 1);
    auto slots = std::make_unique_for_overwrite<Slot[]>(kSlotsPerChunk);
    for (std::uint32_t i = 0; i < kSlotsPerChunk; ++i) slots[i].index = made_ + i;
    chunks_[chunk].store(slots.get(), std::memory_order_release);
    storage_.push_back(std::move(slots));
    made_ += kSlotsPerChunk;
    for (std::uint32_t i = kSlotsPerChunk; i-- > 1;) GiveSlot(storage_.back()[i]);
    return &storage_.back()[0];
  }

  const HandleKind kind_;
  Watch* const watch_;
  std::array<std::atomic<Slot*>, kMaxChunks> chunks_{};
  std::atomic<std::uint64_t> free_{kNoSlot};  // high half: changes; low half: the first free slot
  std::atomic<std::uint32_t> used_{0};        // no slot from here on has ever been taken
  std::mutex mutex_;                          // guards what follows
  std::vector<std::unique_ptr<Slot[]>> storage_;
  std::uint32_t made_ = 0;
};

}  // namespace belay::runtime
