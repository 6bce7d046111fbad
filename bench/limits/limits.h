// The machine's limits: how fast memory can be read, filled, copied and so on. Each kind of traffic
// has several loops; the fastest at a size is the limit there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace belay::bench {

enum class Kind : std::uint8_t {
  kRead,
  kFill,
  kCopy,
  kAddFp16,  // dst = fp16(float(dst) + float(src))
  kAddBf16,
  kExpand,  // 4-byte elements become 8-byte ones
};
inline constexpr Kind kAllKinds[] = {Kind::kRead,    Kind::kFill,    Kind::kCopy,
                                     Kind::kAddFp16, Kind::kAddBf16, Kind::kExpand};

std::string_view NameOf(Kind kind);

/// How a working set is split: bytes of each side, and the bytes that one pass moves over it.
struct Split {
  std::size_t dst = 0;
  std::size_t src = 0;
  std::size_t moved = 0;
};
/// The sides are multiples of 512 bytes, at least one, and take about `working_set` together.
Split SplitOf(Kind kind, std::size_t working_set);

/// One way to do it. `dst` and `src` are aligned to 64 bytes, sizes are those of a Split.
struct LimitLoop {
  std::string_view name;
  Kind kind;
  void (*run)(std::byte* dst, std::size_t dst_bytes, const std::byte* src, std::size_t src_bytes);
};

/// The loops that this machine can run.
std::vector<LimitLoop> LoopsOf(Kind kind);

/// What the files of this folder add to the list.
void AddPortableLoops(std::vector<LimitLoop>& loops);
void AddX86Loops(std::vector<LimitLoop>& loops);

}  // namespace belay::bench
