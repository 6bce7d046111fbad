#include "npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/checked_math.h"

namespace belay::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxRank = 64;  // NumPy's own limit

template <class... Args>
Status Bad(fmt::format_string<Args...> text, Args&&... args) {
  return Refuse(Fault::kInvalidFile, text, std::forward<Args>(args)...);
}

// A piece of the file as a message may show it.
std::string Shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string shown(text.substr(0, kMost));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown.size() < text.size() ? shown + "..." : shown;
}

std::uint64_t LittleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// The dictionary in the head, a Python literal with three keys.
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : rest_(text) {}

  // {'descr': '<u8', 'fortran_order': False, 'shape': (3, 2), }
  Status Read(NpyHead& head) {
    if (!Take('{')) return Wanted("{");
    while (!Take('}')) {
      BELAY_RETURN_IF_ERROR(ReadEntry(head));
      if (!Take(',') && !Next('}')) return Wanted(", or }");
    }
    SkipBlanks();
    if (!rest_.empty()) return Wanted("nothing after }");
    for (const Key& key : keys_) {
      if (!key.seen) return Bad("the head has no '{}'; allowed heads with one", key.name);
    }
    return {};
  }

 private:
  struct Key {
    std::string_view name;
    Status (Dictionary::*read)(NpyHead& head);
    bool seen = false;
  };

  Status ReadEntry(NpyHead& head) {
    const std::optional<std::string_view> name = TakeString();
    if (!name) return Wanted("a key in quotes");
    const auto key = std::ranges::find(keys_, *name, &Key::name);
    if (key == keys_.end()) {
      return Bad("the head has the key '{}'; allowed 'descr', 'fortran_order' and 'shape'",
                 Shown(*name));
    }
    if (std::exchange(key->seen, true)) {
      return Bad("the head has '{}' twice; allowed once", key->name);
    }
    if (!Take(':')) return Wanted(":");
    return (this->*key->read)(head);
  }

  Status ReadDescr(NpyHead& /*head*/) {
    constexpr std::string_view kAllowed = "'<u8' and '<i8' (little-endian uint64 and int64)";
    const std::optional<std::string_view> descr = TakeString();
    if (!descr) return Bad("descr is {}; allowed {}", Shown(rest_), kAllowed);
    if (*descr != "<u8" && *descr != "<i8") {
      return Bad("descr is '{}'; allowed {}", Shown(*descr), kAllowed);
    }
    return {};
  }

  Status ReadOrder(NpyHead& head) {
    head.fortran_order = TakeWord("True");
    return head.fortran_order || TakeWord("False") ? Status() : Wanted("True or False");
  }

  Status ReadShape(NpyHead& head) {
    if (!Take('(')) return Wanted("( of the shape");
    while (!Take(')')) {
      if (head.shape.size() == kMaxRank) {
        return Bad("the shape has more than {0} dimensions; allowed {0}", kMaxRank);
      }
      BELAY_RETURN_IF_ERROR(ReadDimension(head.shape));
      if (Take(',')) continue;
      // In Python, (3) is no tuple.
      if (head.shape.size() == 1 || !Next(')')) return Wanted(", of the shape");
    }
    return {};
  }

  Status ReadDimension(std::vector<std::uint64_t>& shape) {
    SkipBlanks();
    std::uint64_t dimension = 0;
    const char* const begin = rest_.data();
    const auto [end, error] = std::from_chars(begin, begin + rest_.size(), dimension);
    if (error == std::errc::result_out_of_range) {
      return Bad("the shape has a dimension beyond 64 bits; allowed what a file can hold");
    }
    if (error != std::errc()) return Wanted("a dimension of 0 or above");
    rest_.remove_prefix(static_cast<std::size_t>(end - begin));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // written by Python 2
    shape.push_back(dimension);
    return {};
  }

  void SkipBlanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  bool Next(char c) {
    SkipBlanks();
    return rest_.starts_with(c);
  }
  bool Take(char c) {
    const bool next = Next(c);
    if (next) rest_.remove_prefix(1);
    return next;
  }
  bool TakeWord(std::string_view word) {
    SkipBlanks();
    const bool next = rest_.starts_with(word);
    if (next) rest_.remove_prefix(word.size());
    return next;
  }
  // In either kind of quotes. No string of a good file has a backslash, so none is understood.
  std::optional<std::string_view> TakeString() {
    for (const char quote : {'\'', '"'}) {
      if (!Next(quote)) continue;
      const std::size_t end = rest_.find(quote, 1);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view text = rest_.substr(1, end - 1);
      rest_.remove_prefix(end + 1);
      return text;
    }
    return std::nullopt;
  }
  Status Wanted(std::string_view wanted) {
    SkipBlanks();
    const std::string seen = rest_.empty() ? "ends" : "has \"" + Shown(rest_) + '"';
    return Bad("the head {} where allowed is {}", seen, wanted);
  }

  std::string_view rest_;
  std::array<Key, 3> keys_{Key{"descr", &Dictionary::ReadDescr},
                           Key{"fortran_order", &Dictionary::ReadOrder},
                           Key{"shape", &Dictionary::ReadShape}};
};

// The product, or nothing when the bytes could not be counted.
std::optional<std::uint64_t> CountOf(const std::vector<std::uint64_t>& shape) {
  // 0 wins, wherever it stands.
  if (std::ranges::count(shape, 0U) != 0) return 0;
  std::optional<std::uint64_t> bytes = sizeof(std::uint64_t);
  for (const std::uint64_t dimension : shape) {
    bytes = CheckedMultiply(*bytes, dimension);
    if (!bytes) return std::nullopt;
  }
  return *bytes / sizeof(std::uint64_t);
}

}  // namespace

bool IsNpy(std::string_view file) noexcept { return file.starts_with(kMagic); }

StatusOr<NpyHead> ParseNpyHead(std::string_view file) {
  if (!IsNpy(file)) {
    return Unexpected(Bad("the first bytes are no .npy mark; allowed \\x93NUMPY"));
  }
  const std::string_view versioned = file.substr(kMagic.size());
  if (versioned.size() < 2) return Unexpected(Bad("the file ends before its version"));
  const int major = static_cast<unsigned char>(versioned[0]);
  const int minor = static_cast<unsigned char>(versioned[1]);
  if (major < 1 || major > 3 || minor != 0) {
    return Unexpected(Bad("the version is {}.{}; allowed 1.0, 2.0 and 3.0", major, minor));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::string_view sized = versioned.substr(2);
  if (sized.size() < length_bytes) {
    return Unexpected(Bad("the file ends before the length of its head"));
  }
  const std::uint64_t length = LittleEndian(sized.substr(0, length_bytes));
  const std::uint64_t begin = file.size() - sized.size() + length_bytes;
  if (begin + length > kMaxNpyHeadBytes) {
    return Unexpected(Bad("the head has {} bytes; allowed {}", begin + length, kMaxNpyHeadBytes));
  }
  if (begin + length > file.size()) {
    return Unexpected(
        Bad("the file ends after {} of {} bytes of its head", file.size(), begin + length));
  }
  NpyHead head;
  head.data_offset = begin + length;
  Status status = Dictionary(file.substr(begin, length)).Read(head);
  if (!status.ok()) return Unexpected(std::move(status));
  const std::optional<std::uint64_t> count = CountOf(head.shape);
  if (!count) return Unexpected(Bad("the shape has more elements than 64 bits can count bytes of"));
  head.count = *count;
  return head;
}

}  // namespace belay::cli
