/**
 * @file
 * The 64-bit words that carry a scale and an offset for requantisation ("quantParam"): packing
 * them, reading them, and telling the layouts apart that programs use for them. Header-only, C++11,
 * needs no library. Works on bit patterns with integers alone, so the caller's rounding mode and
 * flush-to-zero flags play no part.
 *
 *     const std::uint64_t word =
 *         belay::PackQuantParam(1.1F, 3.0F, belay::QuantLayout::kPacked19,
 * belay::QuantRounding::kV1); const belay::QuantValue value = belay::UnpackQuantParam(word,
 * belay::QuantLayout::kPacked19);
 */
#ifndef BELAY_QUANT_PARAM_H_
#define BELAY_QUANT_PARAM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace belay {

/**
 * The fields of a packed word: bits 0-31 float32 bits of the scale, of which the hardware reads the
 * upper 19; bits 37-45 the offset, two's complement; bit 46 set where there is a scale; bits 32-36
 * and 47-63 zero.
 * Source: document aclnnTransQuantParam, formula.
 */
constexpr std::uint64_t kQuantScaleBits = 0xFFFFFFFFU;
constexpr std::uint32_t kQuantScaleUnread = 0x00001FFFU; /**< Low bits the hardware skips. */
constexpr int kQuantOffsetShift = 37;
constexpr std::uint64_t kQuantOffsetBits = static_cast<std::uint64_t>(0x1FF) << kQuantOffsetShift;
constexpr std::uint64_t kQuantScaleMark = static_cast<std::uint64_t>(1) << 46;
constexpr std::uint64_t kQuantReservedLow = static_cast<std::uint64_t>(0x1F) << 32;
constexpr std::uint64_t kQuantReservedHigh = ~((static_cast<std::uint64_t>(1) << 47) - 1);
constexpr int kQuantOffsetMin = -256; /**< The least offset that its 9 bits hold. */
constexpr int kQuantOffsetMax = 255;  /**< The greatest one. */

/**
 * How a word is laid out. Every word that fits kPacked19 fits kPacked32 as well, and zero fits all
 * three.
 * Source: documents aclnnTransQuantParam, V2 and V3; ATB API, QuantParamConvert; observed results
 * of released libraries.
 */
enum class QuantLayout : std::uint8_t {
  kPacked19,  /**< Packed, low 13 bits of the scale clear: as documented; V2 and V3. */
  kPacked32,  /**< Packed, all bits of the scale kept: aclnnTransQuantParam as released. */
  kFloatBits, /**< Float32 bits alone, bits 32-63 zero: ATB's QuantParamConvert, plain casts. */
};
constexpr std::size_t kQuantLayoutCount = 3; /**< Number of layouts. */

/**
 * Whose rounding: of the offset to an integer, and of the scale to 19 bits where the layout has 19.
 * Source: documents aclnnTransQuantParam, V2 and V3; observed results of released libraries.
 */
enum class QuantRounding : std::uint8_t {
  kV1,           /**< aclnnTransQuantParam. Offset half away from zero; scale cut off. */
  kV2,           /**< V2, and V3 with roundMode 0. Offset half to even; scale cut off. */
  kV3RoundMode1, /**< V3 with roundMode 1. Offset half to even; scale half to even. */
};

/** What can be wrong with a word. Not every layout knows every problem. */
enum class QuantProblem : std::uint8_t {
  kReservedLow,    /**< Packed: one of bits 32-36 is set. */
  kReservedHigh,   /**< Packed: one of bits 47-63 is set. */
  kUnmarkedScale,  /**< Packed: the scale has bits, but bit 46 is clear. */
  kUnreadBits,     /**< kPacked19: one of bits 0-12 is set. */
  kUpperHalf,      /**< kFloatBits: one of bits 32-63 is set. */
  kNotFiniteScale, /**< Any: the scale is NaN or infinity. */
};
constexpr std::size_t kQuantProblemCount = 6; /**< Number of problems. */

/** The short name that `belay decode --layout` takes: "packed19", "packed32", "floatbits". */
inline const char* QuantLayoutName(QuantLayout layout) noexcept {
  return layout == QuantLayout::kPacked19   ? "packed19"
         : layout == QuantLayout::kPacked32 ? "packed32"
                                            : "floatbits";
}

/** A problem in a few words, for a message. */
inline const char* QuantProblemText(QuantProblem problem) noexcept {
  switch (problem) {
    case QuantProblem::kReservedLow:
      return "bits 32-36 are not zero";
    case QuantProblem::kReservedHigh:
      return "bits 47-63 are not zero";
    case QuantProblem::kUnmarkedScale:
      return "a scale without bit 46";
    case QuantProblem::kUnreadBits:
      return "low 13 bits of the scale are not zero";
    case QuantProblem::kUpperHalf:
      return "bits 32-63 are not zero";
    case QuantProblem::kNotFiniteScale:
      return "the scale is NaN or infinity";
  }
  return "";
}

/** The bits of a float, and the float of bits. */
inline std::uint32_t QuantFloatBits(float value) noexcept {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float QuantFloatOf(std::uint32_t bits) noexcept {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/** Whether these bits are NaN or infinity. */
constexpr bool IsNotFiniteQuantScale(std::uint32_t scale_bits) noexcept {
  return (scale_bits & 0x7F800000U) == 0x7F800000U;
}

/** Whether a layout has bits for an offset. */
constexpr bool QuantLayoutHasOffset(QuantLayout layout) noexcept {
  return layout != QuantLayout::kFloatBits;
}

/** Parts of the functions below, one expression each as C++11 wants it. */
namespace quant_detail {

constexpr std::uint32_t Nearest19(std::uint32_t bits) noexcept {
  return (bits & 0x7F800000U) == 0 ? bits & 0x80000000U
                                   : (bits + 0x0FFFU + ((bits >> 13) & 1U)) & ~kQuantScaleUnread;
}

/** `mantissa` / 2^`shift`, rounded; 15 <= shift <= 24. */
constexpr int RoundedQuotient(std::uint32_t mantissa, std::uint32_t shift, bool half_up) noexcept {
  return static_cast<int>((mantissa + (1U << (shift - 1)) - (half_up ? 0U : 1U)) >> shift);
}
constexpr int RoundedMantissa(std::uint32_t mantissa, std::uint32_t shift,
                              bool half_away) noexcept {
  // To even, a half goes up where the quotient is odd.
  return RoundedQuotient(mantissa, shift, half_away || ((mantissa >> shift) & 1U) != 0);
}
/** 512 stands for everything above; NaN counts as 0. */
constexpr int RoundedMagnitude(std::uint32_t magnitude, bool half_away) noexcept {
  return magnitude > 0x7F800000U    ? 0
         : magnitude < 0x3F000000U  ? 0 /* below 0.5 */
         : magnitude >= 0x44000000U ? 512
                                    : RoundedMantissa((magnitude & 0x007FFFFFU) | 0x00800000U,
                                                      150U - (magnitude >> 23), half_away);
}
constexpr int ClampOffset(int offset) noexcept {
  return offset < kQuantOffsetMin   ? kQuantOffsetMin
         : offset > kQuantOffsetMax ? kQuantOffsetMax
                                    : offset;
}

}  // namespace quant_detail

/**
 * The scale's bits as a layout stores them. kPacked32 and kFloatBits keep them. Rounding to nearest
 * makes a signed zero of a subnormal, leaves NaN and infinity cut off, and may carry up to
 * infinity.
 */
constexpr std::uint32_t RoundQuantScale(std::uint32_t scale_bits, QuantLayout layout,
                                        QuantRounding rounding) noexcept {
  return layout != QuantLayout::kPacked19 ? scale_bits
         : rounding == QuantRounding::kV3RoundMode1 && !IsNotFiniteQuantScale(scale_bits)
             ? quant_detail::Nearest19(scale_bits)
             : scale_bits & ~kQuantScaleUnread;
}

/** The offset as an integer of -256..255. Infinity clamps, NaN counts as 0. */
constexpr int RoundQuantOffset(std::uint32_t offset_bits, QuantRounding rounding) noexcept {
  return quant_detail::ClampOffset(
      ((offset_bits >> 31) != 0 ? -1 : 1) *
      quant_detail::RoundedMagnitude(offset_bits & 0x7FFFFFFFU, rounding == QuantRounding::kV1));
}

/**
 * The word of a scale and an offset, both given as float32 bits; 0 for no offset. kFloatBits has no
 * place for an offset and leaves it out.
 */
constexpr std::uint64_t PackQuantBits(std::uint32_t scale_bits, std::uint32_t offset_bits,
                                      QuantLayout layout, QuantRounding rounding) noexcept {
  return !QuantLayoutHasOffset(layout)
             ? scale_bits
             : RoundQuantScale(scale_bits, layout, rounding) | kQuantScaleMark |
                   ((static_cast<std::uint64_t>(RoundQuantOffset(offset_bits, rounding))
                     << kQuantOffsetShift) &
                    kQuantOffsetBits);
}

/** The same for numbers. Takes NaN and infinity as they are; see RoundQuantScale and -Offset. */
inline std::uint64_t PackQuantParam(float scale, float offset, QuantLayout layout,
                                    QuantRounding rounding) noexcept {
  return PackQuantBits(QuantFloatBits(scale), QuantFloatBits(offset), layout, rounding);
}

/** A set of problems. */
class QuantProblems {
 public:
  constexpr QuantProblems() noexcept : bits_(0) {}
  /** As many bits as there are problems, the first one lowest. */
  constexpr explicit QuantProblems(unsigned bits) noexcept : bits_(bits) {}
  constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr bool Has(QuantProblem problem) const noexcept {
    return ((bits_ >> static_cast<unsigned>(problem)) & 1U) != 0;
  }
  constexpr QuantProblems With(QuantProblem problem, bool added) const noexcept {
    return QuantProblems(bits_ | ((added ? 1U : 0U) << static_cast<unsigned>(problem)));
  }

 private:
  unsigned bits_;
};

/** Everything that is wrong with a word under a layout; empty for a well-formed one. */
constexpr QuantProblems QuantProblemsOf(std::uint64_t word, QuantLayout layout) noexcept {
  return layout == QuantLayout::kFloatBits
             ? QuantProblems()
                   .With(QuantProblem::kUpperHalf, (word & ~kQuantScaleBits) != 0)
                   .With(QuantProblem::kNotFiniteScale,
                         IsNotFiniteQuantScale(static_cast<std::uint32_t>(word)))
             : QuantProblems()
                   .With(QuantProblem::kReservedLow, (word & kQuantReservedLow) != 0)
                   .With(QuantProblem::kReservedHigh, (word & kQuantReservedHigh) != 0)
                   .With(QuantProblem::kUnmarkedScale,
                         (word & kQuantScaleMark) == 0 && (word & kQuantScaleBits) != 0)
                   .With(QuantProblem::kUnreadBits,
                         layout == QuantLayout::kPacked19 && (word & kQuantScaleUnread) != 0)
                   .With(QuantProblem::kNotFiniteScale,
                         IsNotFiniteQuantScale(static_cast<std::uint32_t>(word)));
}

/** The offset field of a packed word. */
constexpr int QuantOffsetOf(std::uint64_t word) noexcept {
  return static_cast<int>(((word & kQuantOffsetBits) >> kQuantOffsetShift) ^ 0x100U) - 0x100;
}

/** What a word says under a layout. */
struct QuantValue {
  float scale;    /**< Bits 0-31, whatever is wrong with the word. */
  int offset;     /**< -256..255; 0 where the layout has none. */
  bool has_scale; /**< Packed: bit 46. Words without come after the last scale or as padding. */
  QuantProblems problems; /**< Empty for a well-formed word. */
};

/** Reads a word under the layout that the caller names. */
inline QuantValue UnpackQuantParam(std::uint64_t word, QuantLayout layout) noexcept {
  const bool packed = layout != QuantLayout::kFloatBits;
  const QuantValue value = {
      QuantFloatOf(static_cast<std::uint32_t>(word)), packed ? QuantOffsetOf(word) : 0,
      !packed || (word & kQuantScaleMark) != 0, QuantProblemsOf(word, layout)};
  return value;
}

/** How many words, and which is the first (only where there is one). */
struct QuantTally {
  std::uint64_t words = 0;
  std::uint64_t first = 0;

  void Add(std::uint64_t index) noexcept {
    if (words++ == 0) first = index;
  }
};

/** An array seen under one layout. */
struct QuantFit {
  QuantTally malformed;                    /**< Words with at least one problem. */
  QuantTally problems[kQuantProblemCount]; /**< For each problem, by its number. */

  const QuantTally& Of(QuantProblem problem) const noexcept {
    return problems[static_cast<std::size_t>(problem)];
  }
};

/** What an array of words could be. Large ones may be added piece by piece. */
class QuantReport {
 public:
  void Add(const std::uint64_t* words, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) AddWord(words[i]);
  }

  /** Whether all words are well-formed under a layout; yes where there are none. */
  bool Could(QuantLayout layout) const noexcept { return Fit(layout).malformed.words == 0; }
  const QuantFit& Fit(QuantLayout layout) const noexcept {
    return fits_[static_cast<std::size_t>(layout)];
  }
  std::uint64_t words() const noexcept { return words_; }
  /** Words that are zero: a scale of 0 without bit 46, or padding. */
  const QuantTally& zero() const noexcept { return zero_; }
  /** Words without bit 46. In packed arrays only aclnnTransQuantParam writes them, at the end. */
  const QuantTally& unmarked() const noexcept { return unmarked_; }
  /** Words with bit 46 after one without: not the packed words of a single call. */
  const QuantTally& marked_late() const noexcept { return marked_late_; }

 private:
  void AddWord(std::uint64_t word) noexcept {
    if (word == 0) zero_.Add(words_);
    if ((word & kQuantScaleMark) == 0) {
      unmarked_.Add(words_);
    } else if (unmarked_.words != 0) {
      marked_late_.Add(words_);
    }
    for (std::size_t layout = 0; layout < kQuantLayoutCount; ++layout) {
      const QuantProblems problems = QuantProblemsOf(word, static_cast<QuantLayout>(layout));
      if (problems.empty()) continue;
      QuantFit& fit = fits_[layout];
      fit.malformed.Add(words_);
      for (std::size_t problem = 0; problem < kQuantProblemCount; ++problem) {
        if (problems.Has(static_cast<QuantProblem>(problem))) fit.problems[problem].Add(words_);
      }
    }
    ++words_;
  }

  std::uint64_t words_ = 0;
  QuantTally zero_;
  QuantTally unmarked_;
  QuantTally marked_late_;
  QuantFit fits_[kQuantLayoutCount];
};

/** The same for an array at once. `words` may be null where `count` is 0. */
inline QuantReport ClassifyQuantParams(const std::uint64_t* words, std::size_t count) noexcept {
  QuantReport report;
  report.Add(words, count);
  return report;
}

}  // namespace belay

#endif  // BELAY_QUANT_PARAM_H_
