/**
 * @file
 * SVector: the array type of the ATB interface. C++ only.
 */
#ifndef ATB_SVECTOR_H
#define ATB_SVECTOR_H

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
// GCC follows the branch of the slots in the object for sizes that only the heap has.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#endif

namespace atb {

/**
 * The largest number of elements of an SVector.
 * Source: ATB API, SVector.
 */
constexpr std::size_t MAX_SVECTOR_SIZE = 256;

/**
 * The number of elements that an SVector holds in itself; more of them move to the heap.
 * Source: ATB API, SVector.
 */
constexpr std::size_t DEFAULT_SVECTOR_SIZE = 64;

/**
 * Tells that SVector checks indices and sizes.
 * Source: ATB API, SVector.
 */
constexpr bool CHECK_BOUND = true;

/**
 * Thrown by SVector for more than MAX_SVECTOR_SIZE elements.
 * Source: ATB API, SVector.
 */
struct MaxSizeExceeded : public std::exception {};

/**
 * An array of at most MAX_SVECTOR_SIZE elements. It owns its elements; copies are deep, and there
 * is no move: moving copies. Up to DEFAULT_SVECTOR_SIZE elements lie in the object, more of them in
 * a block of the C heap. push_back, insert, resize and reserve may move the elements and so make
 * pointers to them invalid. Functions that need memory throw std::bad_alloc when there is none.
 * Source: ATB API, SVector.
 *
 * Objects cross the border between programs and libraries, and code of other builds that works on
 * the same layout may have filled them: such code leaves heap blocks without room behind the last
 * element, and a capacity_ that is 0 or exceeds the block. So nothing here takes a heap block to be
 * larger than its elements need. Before a vector grows on the heap the allocator is asked for
 * MAX_SVECTOR_SIZE elements: by realloc, which keeps a block that is already as large, or, for
 * elements that must not be copied bytewise, by a fresh block. capacity_ only tells which slots
 * hold values, so that resize shows no garbage: no address depends on it.
 *
 * Slots of trivially copyable elements come to life when they are first used. Of other elements,
 * all slots in the object are always alive, and on the heap exactly those of the elements.
 */
template <typename T>
class SVector {
 public:
  /** An empty vector. Its slots hold T(), which resize brings to light. */
  constexpr SVector() : capacity_(0), size_(0), storage_(), heap_(nullptr) {}

  /** Copies the list. Throws MaxSizeExceeded for too long a list. */
  // NOLINTNEXTLINE(google-explicit-constructor): callers pass lists.
  SVector(std::initializer_list<T> list) : SVector(Blank<IsFlat::value>()) {
    Assign(list.begin(), list.size());
  }

  /** A vector of `count` copies of `value`. Throws MaxSizeExceeded for too large a count. */
  explicit SVector(std::size_t count, const T& value = T()) : SVector(Blank<IsFlat::value>()) {
    Grow(count);
    while (size_ < count) {
      Append(value);
    }
  }

  /** Copies the elements, and of trivially copyable elements nothing else. */
  SVector(const SVector& other) : SVector(Blank<IsFlat::value>()) { Assign(other); }

  ~SVector() {
    if (heap_ != nullptr) {
      Destroy(heap_, size_);
      std::free(heap_);
    }
    if (!IsFlat::value) {
      Destroy(storage_, DEFAULT_SVECTOR_SIZE + 1);
    }
  }

  /** Replaces the elements by those of the list. Throws MaxSizeExceeded for too long a list. */
  SVector& operator=(std::initializer_list<T> list) {
    Assign(list.begin(), list.size());
    return *this;
  }

  /** Replaces the elements by those of `other`, which may be this vector. */
  SVector& operator=(const SVector& other) {
    if (this != &other) {
      Assign(other);
    }
    return *this;
  }

  /** Appends a copy of `value`. Throws MaxSizeExceeded when the vector is full. */
  void push_back(const T& value) {
    if (heap_ == nullptr && size_ < DEFAULT_SVECTOR_SIZE) {
      Append(value);
      return;
    }
    const T copy(value);  // Growing may move the value, if it is an element.
    Grow(size_ + 1);
    Append(copy);
  }

  /**
   * Inserts a copy of `value` before position `pos`. Throws std::out_of_range for a position behind
   * the end, and MaxSizeExceeded when the vector is full.
   */
  void insert(std::size_t pos, const T& value) {
    if (pos > size_) {
      throw std::out_of_range("SVector: position behind the end");
    }
    const T copy(value);
    Grow(size_ + 1);
    if (pos == size_) {
      Append(copy);
      return;
    }
    const T last(data()[size_ - 1]);
    Append(last);
    std::move_backward(data() + pos, data() + size_ - 2, data() + size_ - 1);
    data()[pos] = copy;
  }

  /** The elements, which follow each other in memory. */
  T* begin() noexcept { return data(); }
  const T* begin() const noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* end() const noexcept { return data() + size_; }
  T* data() noexcept { return heap_ != nullptr ? heap_ : storage_; }
  const T* data() const noexcept { return heap_ != nullptr ? heap_ : storage_; }

  /** Element `i`. Both forms throw std::out_of_range for an index of no element. */
  T& operator[](std::size_t i) { return data()[Checked(i)]; }
  const T& operator[](std::size_t i) const { return data()[Checked(i)]; }
  T& at(std::size_t i) { return data()[Checked(i)]; }
  const T& at(std::size_t i) const { return data()[Checked(i)]; }

  /** The number of elements. */
  std::size_t size() const noexcept { return size_; }

  /** Tells whether there are no elements. */
  bool empty() const noexcept { return size_ == 0; }

  /** Removes all elements; keeps the memory. */
  void clear() noexcept { Shrink(0); }

  /**
   * Changes the number of elements. It does not clear: elements that are added hold what their
   * slots held before, earlier elements or else T(); on the heap, elements of a type that is not
   * trivially copyable hold T(). Throws MaxSizeExceeded for too large a count.
   */
  void resize(std::size_t count) {
    if (count <= size_) {
      Shrink(count);
      return;
    }
    Grow(count);
    if (IsFlat::value) {
      for (std::size_t i = Filled(); i < count; ++i) {
        ::new (static_cast<void*>(data() + i)) T();
      }
    } else if (heap_ != nullptr) {
      for (; size_ < count; ++size_) {
        ::new (static_cast<void*>(heap_ + size_)) T();
      }
    }
    size_ = count;
  }

  /**
   * Provides memory for `count` elements; changes no element and never gives memory back. Throws
   * MaxSizeExceeded for too large a count.
   */
  void reserve(std::size_t count) {
    if (count > DEFAULT_SVECTOR_SIZE) {
      Grow(count);
    }
  }

  /** Compare size and elements, wherever they lie. */
  bool operator==(const SVector& other) const {
    return size_ == other.size_ && std::equal(begin(), end(), other.begin());
  }
  bool operator!=(const SVector& other) const { return !(*this == other); }

  /** A shorter vector is less; of vectors of one size, the first elements that differ decide. */
  bool operator<(const SVector& other) const {
    if (size_ != other.size_) {
      return size_ < other.size_;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (!(data()[i] == other.data()[i])) {
        return data()[i] < other.data()[i];
      }
    }
    return false;
  }

 private:
  using IsFlat = std::is_trivially_copyable<T>;

  template <bool flat>
  struct Blank {};

  // An empty vector to be filled at once. No slot of a flat one is touched.
  explicit SVector(Blank<true>) : capacity_(DEFAULT_SVECTOR_SIZE), size_(0), heap_(nullptr) {}
  explicit SVector(Blank<false>) : capacity_(0), size_(0), storage_(), heap_(nullptr) {}

  std::size_t Checked(std::size_t i) const {
    if (i >= size_ || (heap_ == nullptr && i >= DEFAULT_SVECTOR_SIZE)) {
      throw std::out_of_range("SVector: no such element");
    }
    return i;
  }

  // The number of slots, from the first one, that hold values. capacity_ tells: on the heap it is
  // their number, or 0 for a block that holds the elements only. In the object, where other code
  // leaves it alone, it is the number of slots at the end that have not come to life.
  std::size_t Filled() const noexcept {
    if (heap_ != nullptr) {
      return capacity_ == 0 ? size_ : capacity_;
    }
    const std::size_t unused = std::min(capacity_, DEFAULT_SVECTOR_SIZE);
    return std::max(size_, DEFAULT_SVECTOR_SIZE - unused);
  }

  // Makes room for `count` elements in all.
  void Grow(std::size_t count) {
    if (count > MAX_SVECTOR_SIZE) {
      throw MaxSizeExceeded();
    }
    if (count > (heap_ != nullptr ? size_ : DEFAULT_SVECTOR_SIZE)) {
      Relocate(IsFlat());
    }
  }

  // Both move the elements to a heap block of MAX_SVECTOR_SIZE slots, or make sure of one.
  void Relocate(std::true_type /*flat*/) {
    const bool inObject = heap_ == nullptr;
    const std::size_t filled = Filled();
    void* const block = std::realloc(static_cast<void*>(heap_), MAX_SVECTOR_SIZE * sizeof(T));
    if (block == nullptr) {
      throw std::bad_alloc();
    }
    if (inObject) {
      std::memcpy(block, static_cast<const void*>(storage_), filled * sizeof(T));
    }
    heap_ = static_cast<T*>(block);
    capacity_ = MAX_SVECTOR_SIZE;
    for (std::size_t i = filled; i < MAX_SVECTOR_SIZE; ++i) {
      ::new (static_cast<void*>(heap_ + i)) T();
    }
  }

  void Relocate(std::false_type /*flat*/) {
    T* const block = static_cast<T*>(std::malloc(MAX_SVECTOR_SIZE * sizeof(T)));
    if (block == nullptr) {
      throw std::bad_alloc();
    }
    std::size_t made = 0;
    try {
      for (; made < size_; ++made) {
        ::new (static_cast<void*>(block + made)) T(std::move_if_noexcept(data()[made]));
      }
    } catch (...) {
      Destroy(block, made);
      std::free(block);
      throw;
    }
    if (heap_ != nullptr) {
      Destroy(heap_, size_);
      std::free(heap_);
    }
    heap_ = block;
    capacity_ = MAX_SVECTOR_SIZE;
  }

  // Adds an element; there is room for it.
  void Append(const T& value) {
    if (IsFlat::value || heap_ != nullptr) {
      ::new (static_cast<void*>(data() + size_)) T(value);
    } else {
      storage_[size_] = value;
    }
    ++size_;
  }

  void Shrink(std::size_t count) noexcept {
    if (IsFlat::value) {
      const std::size_t filled = Filled();
      capacity_ = heap_ != nullptr ? filled : DEFAULT_SVECTOR_SIZE - filled;
    } else if (heap_ != nullptr) {
      Destroy(heap_ + count, size_ - count);
    }
    size_ = count;
  }

  void Assign(const T* from, std::size_t count) {
    Grow(count);
    if (count < size_) {
      Shrink(count);
    }
    std::copy(from, from + size_, data());
    while (size_ < count) {
      Append(from[size_]);
    }
  }

  // Of elements that code of another build has left without memory, only the number is taken over.
  void Assign(const SVector& other) {
    const std::size_t count = other.size_;
    const bool isWhole = other.heap_ == nullptr || other.capacity_ == 0 || other.capacity_ >= count;
    Assign(other.data(), isWhole ? count : other.capacity_);
    if (size_ < count) {
      resize(count);
    }
  }

  static void Destroy(T* slots, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      slots[i].~T();
    }
  }

  std::size_t capacity_;
  std::size_t size_;
  // Of the slots in the object, the last one has no use but to keep the layout. The union leaves it
  // to the constructors which of them come to life.
  union {
    T storage_[DEFAULT_SVECTOR_SIZE + 1];
  };
  T* heap_;
};

/**
 * Writes the elements with commas between them, and nothing for an empty vector.
 * Source: ATB API, SVector.
 */
template <typename T>
std::ostream& operator<<(std::ostream& stream, const SVector<T>& vector) {
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (i != 0) {
      stream << ",";
    }
    stream << vector[i];
  }
  return stream;
}

}  // namespace atb

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#pragma GCC diagnostic pop
#endif

#endif  // ATB_SVECTOR_H
