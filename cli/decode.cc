// `belay decode`: says what packed quantisation parameters hold, and which layout they can have.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "belay/quant_param.h"
#include "commands.h"
#include "words.h"

namespace belay::cli {
namespace {

constexpr QuantLayout kLayouts[] = {QuantLayout::kPacked19, QuantLayout::kPacked32,
                                    QuantLayout::kFloatBits};

// NaN has no sign worth a line.
std::string Number(float value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

void AddRemark(std::string& remarks, std::string_view remark) {
  remarks.append(remarks.empty() ? "  " : "; ").append(remark);
}

std::string Remarks(std::uint64_t word, const QuantValue& value, QuantLayout layout) {
  std::string remarks;
  for (std::size_t i = 0; i < kQuantProblemCount; ++i) {
    const auto problem = static_cast<QuantProblem>(i);
    if (value.problems.Has(problem)) AddRemark(remarks, QuantProblemText(problem));
  }
  const auto scale_bits = static_cast<std::uint32_t>(word);
  if (word == 0 && !value.has_scale) AddRemark(remarks, "padding, or no scale");
  if (!value.has_scale && scale_bits == 0 && (word & kQuantOffsetBits) != 0) {
    AddRemark(remarks, "an offset without a scale");
  }
  if (layout == QuantLayout::kPacked32 && (scale_bits & kQuantScaleUnread) != 0) {
    const float read = QuantFloatOf(scale_bits & ~kQuantScaleUnread);
    AddRemark(remarks, "the hardware reads " + Number(read));
  }
  if (std::fpclassify(value.scale) == FP_SUBNORMAL) AddRemark(remarks, "a subnormal scale");
  return remarks;
}

void PrintWord(std::string_view place, std::uint64_t word, QuantLayout layout) {
  const QuantValue value = UnpackQuantParam(word, layout);
  fmt::print("{} {:#018x}  scale {}", place, word, Number(value.scale));
  if (QuantLayoutHasOffset(layout)) fmt::print("  offset {}", value.offset);
  fmt::print("{}\n", Remarks(word, value, layout));
}

void PrintFit(const QuantReport& report, QuantLayout layout, const Words& words) {
  fmt::print("{:<9}  ", QuantLayoutName(layout));
  const QuantFit& fit = report.Fit(layout);
  if (fit.malformed.words == 0) {
    fmt::print("fits\n");
    return;
  }
  fmt::print("does not fit: {} of {} malformed, first {}\n", fit.malformed.words, report.words(),
             words.Place(fit.malformed.first));
  for (std::size_t i = 0; i < kQuantProblemCount; ++i) {
    const QuantTally& tally = fit.problems[i];
    if (tally.words == 0) continue;
    fmt::print("{:11}{}: {}, first {}\n", "", QuantProblemText(static_cast<QuantProblem>(i)),
               tally.words, words.Place(tally.first));
  }
}

std::string PackedVerdict(const QuantReport& report, const Words& words) {
  if (report.unmarked().words == 0) return {};
  if (report.unmarked().words == report.words()) {
    return "\n         No word has bit 46: not a whole result, which begins with a scale.";
  }
  std::string text = fmt::format(
      "\n         {} without bit 46, first {}: only aclnnTransQuantParam writes such, after its "
      "scales.",
      report.unmarked().words, words.Place(report.unmarked().first));
  if (report.marked_late().words != 0) {
    text += fmt::format("\n         {} has bit 46 after them: not the result of one call.",
                        words.Place(report.marked_late().first));
  }
  return text;
}

/// What the array is, as far as its words tell.
std::string Verdict(const QuantReport& report, const Words& words) {
  if (report.words() == 0) return "no words, so nothing to tell.";
  if (report.zero().words == report.words()) return "all words are zero: any layout, or padding.";
  if (report.Could(QuantLayout::kPacked19)) {
    return "packed, scales of 19 bits: aclnnTransQuantParam as documented, V2 or V3; as released\n"
           "         too, if its scales needed no more." +
           PackedVerdict(report, words);
  }
  if (report.Could(QuantLayout::kPacked32)) {
    return "packed, scales of 32 bits: aclnnTransQuantParam as released, or another packer that\n"
           "         cuts nothing off. The hardware reads the upper 19." +
           PackedVerdict(report, words);
  }
  if (report.Could(QuantLayout::kFloatBits)) {
    return "float32 bits alone, as from ATB's QuantParamConvert or a cast: what reads packed "
           "words\n"
           "         misses bit 46.";
  }
  return "no layout fits all words.";
}

/// The first layout under which the fewest words are malformed.
QuantLayout Nearest(const QuantReport& report) {
  return *std::ranges::min_element(
      kLayouts, {}, [&](QuantLayout layout) { return report.Fit(layout).malformed.words; });
}

int Complain(const Status& status) {
  fmt::print(stderr, "belay: {}\n", status.message());
  return kBadInput;
}

}  // namespace

int Decode(const DecodeOptions& options) {
  const StatusOr<Words> words = Words::Open(options.inputs);
  if (!words) return Complain(words.error());
  QuantReport report;
  Status status = words->Read(words->count(), [&](std::span<const std::uint64_t> piece) {
    report.Add(piece.data(), piece.size());
  });
  if (!status.ok()) return Complain(status);

  const auto* const asked = std::ranges::find_if(
      kLayouts, [&](QuantLayout layout) { return options.layout == QuantLayoutName(layout); });
  const bool is_asked = asked != std::end(kLayouts);
  const QuantLayout layout = is_asked ? *asked : Nearest(report);

  std::uint64_t printed = 0;
  status = words->Read(options.limit, [&](std::span<const std::uint64_t> piece) {
    for (const std::uint64_t word : piece) PrintWord(words->Place(printed++), word, layout);
  });
  if (!status.ok()) return Complain(status);
  if (printed < words->count()) fmt::print("... and {} more\n", words->count() - printed);

  fmt::print("\n");
  for (const QuantLayout each : kLayouts) {
    if (!is_asked || each == layout) PrintFit(report, each, *words);
  }
  if (!is_asked) fmt::print("verdict: {}\n", Verdict(report, *words));
  return report.Could(layout) ? kSuccess : kFailure;
}

}  // namespace belay::cli
