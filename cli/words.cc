#include "words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "npy.h"

namespace belay::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read as they are");

constexpr std::size_t kPieceWords = 8192;

template <class Number>
std::optional<Number> WholeNumber(std::string_view text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> WordOf(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    return WholeNumber<std::uint64_t>(text.substr(2), 16);
  }
  if (!text.starts_with('-')) return WholeNumber<std::uint64_t>(text, 10);
  const auto number = WholeNumber<std::int64_t>(text, 10);
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

Status BadFile(std::string_view path, std::string_view what) {
  return Refuse(Fault::kInvalidFile, "{}: {}", path, what);
}

Status Unreadable(std::string_view path, int error) {
  return BadFile(path, Text("cannot be read: {}", std::generic_category().message(error)));
}

// A file that is not there, or is a folder or a device, says so.
StatusOr<std::uint64_t> SizeOf(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error) return Unexpected(Unreadable(path, error.value()));
  if (!std::filesystem::is_regular_file(status)) {
    return Unexpected(BadFile(path, "is no file with contents; allowed regular files"));
  }
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) return Unexpected(Unreadable(path, error.value()));
  return size;
}

Status ReadBytes(const std::string& path, std::uint64_t offset, std::uint64_t size,
                 std::size_t piece, FunctionRef<void(std::span<const char>)> visit) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Unreadable(path, errno);
  file.seekg(static_cast<std::streamoff>(offset));
  std::vector<char> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(size, piece)));
  while (size > 0) {
    const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer.size()));
    if (!file.read(buffer.data(), static_cast<std::streamsize>(take))) {
      return BadFile(path, "changed while it was read");
    }
    visit({buffer.data(), take});
    size -= take;
  }
  return {};
}

}  // namespace

StatusOr<Words> Words::Open(const std::vector<std::string>& inputs) {
  Words words;
  for (const std::string& input : inputs) {
    const std::optional<std::uint64_t> word = WordOf(input);
    if (!word) break;
    words.given_.push_back(*word);
  }
  if (words.given_.size() == inputs.size()) {
    words.count_ = words.given_.size();
    return words;
  }
  if (inputs.size() > 1) {
    return Unexpected(Refuse(Fault::kInvalidParam,
                             "'{}' is no word; allowed several words (0x..., or decimal of 64 "
                             "bits) or a single file",
                             inputs[words.given_.size()]));
  }
  words.path_ = inputs.front();
  const Status status = words.OpenFile();
  if (!status.ok()) return Unexpected(status);
  return words;
}

Status Words::OpenFile() {
  const std::string extension = std::filesystem::path(path_).extension().string();
  if (extension != ".npy" && extension != ".bin") {
    return BadFile(path_,
                   "is neither a word nor a file's name; allowed 0x... or decimal of 64 bits, "
                   "names that end in .npy or .bin");
  }
  const StatusOr<std::uint64_t> size = SizeOf(path_);
  if (!size) return size.error();
  if (extension == ".npy") return OpenNpy(*size);
  if (*size % sizeof(std::uint64_t) != 0) {
    return BadFile(path_, Text("has {} bytes; allowed whole words of 8", *size));
  }
  count_ = *size / sizeof(std::uint64_t);
  return {};
}

Status Words::OpenNpy(std::uint64_t size) {
  std::string start;
  BELAY_RETURN_IF_ERROR(
      ReadBytes(path_, 0, std::min<std::uint64_t>(size, kMaxNpyHeadBytes), kMaxNpyHeadBytes,
                [&](std::span<const char> bytes) { start.append(bytes.data(), bytes.size()); }));
  StatusOr<NpyHead> head = ParseNpyHead(start);
  if (!head) return BadFile(path_, head.error().message());
  const std::uint64_t data_bytes = size - head->data_offset;
  if (data_bytes != head->count * sizeof(std::uint64_t)) {
    return BadFile(
        path_, Text("the shape ({}) needs {} bytes, the file has {} after its head; "
                    "allowed one whole array",
                    fmt::join(head->shape, ", "), head->count * sizeof(std::uint64_t), data_bytes));
  }
  count_ = head->count;
  data_offset_ = head->data_offset;
  fortran_order_ = head->fortran_order;
  shape_ = std::move(head->shape);
  return {};
}

Status Words::Read(std::uint64_t count,
                   FunctionRef<void(std::span<const std::uint64_t>)> visit) const {
  count = std::min(count, count_);
  if (path_.empty()) {
    visit(std::span(given_).first(static_cast<std::size_t>(count)));
    return {};
  }
  std::vector<std::uint64_t> piece(kPieceWords);
  return ReadBytes(path_, data_offset_, count * sizeof(std::uint64_t),
                   kPieceWords * sizeof(std::uint64_t), [&](std::span<const char> bytes) {
                     std::memcpy(piece.data(), bytes.data(), bytes.size());
                     visit(std::span(piece).first(bytes.size() / sizeof(std::uint64_t)));
                   });
}

std::string Words::Place(std::uint64_t index) const {
  if (shape_.size() < 2) return fmt::format("[{}]", index);
  std::vector<std::uint64_t> place(shape_.size());
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    const std::size_t dimension = fortran_order_ ? i : shape_.size() - 1 - i;
    place[dimension] = index % shape_[dimension];
    index /= shape_[dimension];
  }
  return fmt::format("[{}]", fmt::join(place, ", "));
}

}  // namespace belay::cli
