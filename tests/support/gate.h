// Makes one thread wait until another says go, so that tests need no sleeping.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace belay::test {

/// Far longer than anything a test waits for; only a hang reaches it.
inline constexpr std::chrono::seconds kHang{60};

/// A door that tasks wait at or open. They hold it by value; all copies are the same door.
class Door {
 public:
  void Open() const {
    {
      const std::lock_guard lock(state_->mutex);
      state_->open = true;
    }
    state_->changed.notify_all();
  }
  /// Returns when the door is open; false when nobody opened it within kHang.
  [[nodiscard]] bool Wait() const {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, kHang, [this] { return state_->open; });
  }
  [[nodiscard]] bool IsOpen() const {
    const std::lock_guard lock(state_->mutex);
    return state_->open;
  }

 private:
  struct State {
    std::mutex mutex;  // guards open
    std::condition_variable changed;
    bool open = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

/// A door of the test itself. It opens at the end of the test at the latest, so that a failed
/// assertion does not leave a task behind that waits.
class Gate : public Door {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { Open(); }

  [[nodiscard]] Door door() const { return *this; }
};

}  // namespace belay::test
