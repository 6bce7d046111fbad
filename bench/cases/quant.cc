// aclnnTransQuantParam as a whole: each call gives a block that the caller frees. Blocks come fresh
// from the system, so the limit is a loop that only touches such a block.
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "aclnnop/aclnn_trans_quant_param.h"
#include "check.h"
#include "contest.h"
#include "peers/plain_loops.h"

namespace belay::bench {
namespace {

class QuantContest : public Contest {
 public:
  QuantContest(std::size_t n, bool with_offset) : scale_(n), offset_(with_offset ? n : 0) {
    std::mt19937 random(1);
    for (float& scale : scale_) scale = static_cast<float>(random() % 1000) / 256.0F;
    for (float& offset : offset_) offset = static_cast<float>(random() % 2048) / 4.0F - 256.0F;
    MakeBlocksFresh();
  }

  std::vector<Contestant> MakeContestants(std::span<const std::unique_ptr<Peer>>) override {
    std::vector<Contestant> contestants = {
        {.name = "Belay", .run = [this] { RunBelay(); }, .settle = {}},
        {.name = "loops", .run = [this] { RunLoops(); }, .settle = {}}};
    // Smaller blocks come from what the C library keeps; touching them says nothing.
    if (8 * scale_.size() >= kLargeBlock) {
      contestants.push_back(
          {.name = "touch", .run = [this] { RunTouch(); }, .settle = {}, .is_limit = true});
    }
    return contestants;
  }

  void Reset() override { keep_ = true; }

  [[nodiscard]] std::vector<std::byte> Result() const override { return last_; }

 private:
  [[nodiscard]] const float* Offset() const { return offset_.empty() ? nullptr : offset_.data(); }

  /// Has the C library take each large block from the system and give it back. On its own it would
  /// do so, or not, depending on what was freed before.
  void MakeBlocksFresh() {
    constexpr std::size_t kThreshold = 128 << 10;
    mallopt(M_MMAP_THRESHOLD, kThreshold);
    mallopt(M_TRIM_THRESHOLD, kThreshold);
    malloc_trim(0);
    for (void* block = std::malloc(kLargeBlock);; block = std::malloc(kLargeBlock)) {
      if (IsFresh(block)) return std::free(block);
      fillers_.emplace_back(static_cast<char*>(block));  // a hole that the next one will not find
    }
  }

  /// Whether the C library has mapped the block for itself: those are whole pages.
  static bool IsFresh(void* block) { return malloc_usable_size(block) > kLargeBlock + 64; }

  void Finish(std::uint64_t* words) {
    if (keep_) {
      const auto* bytes = reinterpret_cast<const std::byte*>(words);
      last_.assign(bytes, bytes + 8 * scale_.size());
      keep_ = false;
    }
    std::free(words);
  }

  void RunBelay() {
    std::uint64_t* words = nullptr;
    std::uint64_t count = 0;
    Check(aclnnTransQuantParam(scale_.data(), scale_.size(), Offset(), offset_.size(), &words,
                               &count),
          "aclnnTransQuantParam");
    Finish(words);
  }

  void RunLoops() {
    auto* words = static_cast<std::uint64_t*>(std::malloc(8 * scale_.size()));
    plain::PackQuant(scale_.data(), Offset(), static_cast<std::int64_t>(scale_.size()), words);
    Finish(words);
  }

  void RunTouch() {
    constexpr std::size_t kPage = 4096;
    const std::size_t bytes = 8 * scale_.size();
    auto* block = static_cast<volatile char*>(std::malloc(bytes));
    for (std::size_t i = 0; i < bytes; i += kPage) block[i] = 1;
    std::free(const_cast<char*>(block));
  }

  /// The smallest block that has to be fresh.
  static constexpr std::size_t kLargeBlock = std::size_t{8} << 20;
  struct Free {
    void operator()(char* block) const { std::free(block); }
  };
  std::vector<std::unique_ptr<char, Free>> fillers_;
  std::vector<float> scale_;
  std::vector<float> offset_;
  bool keep_ = false;
  std::vector<std::byte> last_;
};

}  // namespace

void AddQuantCases(Cases& cases) {
  const struct {
    std::size_t n;
    Target target;
  } sizes[] = {{16, {.call_ns = 40}},
               {4096, {}},
               {std::size_t{1} << 20, {.ratio = 1.1}},
               {std::size_t{1} << 26, {.ratio = 1.1}}};
  for (const auto& [n, target] : sizes) {
    for (const bool with_offset : {false, true}) {
      Case whole;
      whole.group = "TransQuantParam";
      whole.name = "TransQuantParam n = " + std::to_string(n) +
                   (with_offset ? " with offset" : "") + ", whole function";
      whole.working_set = n * (with_offset ? 16 : 12);
      whole.target = target;
      if (with_offset && n == 16) whole.target = {};
      whole.prepare = [n = n, with_offset] {
        return std::make_unique<QuantContest>(n, with_offset);
      };
      cases.push_back(std::move(whole));
    }
  }
}

}  // namespace belay::bench
