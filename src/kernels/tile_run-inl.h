// Runs, one row written many times in succession, with the vectors of one instruction set; for
// files that are compiled once for each.
//
// clang-format off
#if defined(BELAY_KERNELS_TILE_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_TILE_RUN_INL_H_
#undef BELAY_KERNELS_TILE_RUN_INL_H_
#else
#define BELAY_KERNELS_TILE_RUN_INL_H_
#endif
// clang-format on

#include <algorithm>
#include <bit>
#include <type_traits>

#include "kernels/move-inl.h"
#include "kernels/tile_phase.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {

// `count` rows of `row_bytes`, adjacent in the source; each is written `repeats` times.
struct Runs {
  std::size_t count;
  std::size_t row_bytes;
  std::size_t repeats;

  [[nodiscard]] std::size_t RunBytes() const { return row_bytes * repeats; }
};

// Not where vectors are shorter than that, as scalar ones are.
HWY_INLINE bool IsTinyRow(std::size_t row_bytes) {
  return row_bytes <= kTinyRow && hn::Lanes(Vectors16()) == kTinyRow;
}

// A tiny row, read within its ends and put together in registers: through memory,
// the load would wait for the stores before it.
HWY_INLINE hn::Vec<Vectors16> LoadTinyRow(const Byte* row, std::size_t bytes) {
  const Vectors16 d;
  const hn::Repartition<std::uint64_t, Vectors16> d64;
  // The last bytes of a row that the first ones do not hold already.
  const auto rest = [=](auto last) HWY_ATTR {
    std::memcpy(&last, row + bytes - sizeof(last), sizeof(last));
    const std::size_t again = 2 * sizeof(last) - bytes;
    return std::uint64_t{last} >> (4 * again) >> (4 * again);
  };
  std::uint64_t first = 0;
  if (bytes >= sizeof(std::uint64_t)) {
    std::memcpy(&first, row, sizeof(first));
    return hn::BitCast(d, hn::OddEven(hn::Set(d64, rest(std::uint64_t{})), hn::Set(d64, first)));
  }
  if (bytes >= sizeof(std::uint32_t)) {
    std::memcpy(&first, row, sizeof(std::uint32_t));
    first |= rest(std::uint32_t{}) << 32;
  } else if (bytes >= sizeof(std::uint16_t)) {
    std::memcpy(&first, row, sizeof(std::uint16_t));
    first |= rest(std::uint16_t{}) << 16;
  } else {
    first = *row;
  }
  return hn::BitCast(d, hn::Set(d64, first));
}

// The shuffle that repeats a tiny row from a phase on.
HWY_INLINE hn::Vec<Vectors16> FromPhase(std::size_t row_bytes, std::size_t phase) {
  return hn::LoadU(Vectors16(), kPhase[row_bytes].data() + phase);
}

// Calls write(run, row) for each tiny row, in order, with where its run goes and the row in the
// first bytes of a vector. Whole vectors are read, but never beyond the rows.
template <class Write>
HWY_INLINE void ForEachTinyRow(Byte* dst, const Byte* src, const Runs& runs, const Write& write) {
  const Vectors16 d;
  const std::size_t row_bytes = runs.row_bytes;
  const std::size_t run_bytes = runs.RunBytes();
  const Byte* const end = src + runs.count * row_bytes;
  if (runs.count * row_bytes < kTinyRow) {
    for (; src != end; src += row_bytes, dst += run_bytes) write(dst, LoadTinyRow(src, row_bytes));
    return;
  }
  for (; src <= end - kTinyRow; src += row_bytes, dst += run_bytes) write(dst, hn::LoadU(d, src));
  // The others from the vector that ends with them.
  const Byte* const last = end - kTinyRow;
  const auto rows = hn::LoadU(d, last);
  for (; src != end; src += row_bytes, dst += run_bytes) {
    const auto offset = static_cast<std::size_t>(src - last);
    write(dst, hn::TableLookupBytes(rows, FromPhase(kTinyRow, offset)));
  }
}

// Runs shorter than a vector. While a vector's worth of the result follows, whole vectors are
// written: the next run writes over what is too much.
HWY_INLINE void WriteRunsBelowVector(Byte* dst, const Byte* src, const Runs& runs) {
  const Vectors16 d;
  const std::size_t run_bytes = runs.RunBytes();
  const Byte* const end = dst + runs.count * run_bytes;
  const auto repeat = FromPhase(runs.row_bytes, 0);
  ForEachTinyRow(dst, src, runs, [=](Byte* to, hn::Vec<Vectors16> row) HWY_ATTR {
    const auto run = hn::TableLookupBytes(row, repeat);
    if (static_cast<std::size_t>(end - to) >= kTinyRow) return hn::StoreU(run, d, to);
    HWY_ALIGN Byte bytes[kLineBytes];  // GCC thinks that all of the copies below may be used
    hn::Store(run, d, bytes);
    WithCopyBelowVector(run_bytes, [&](auto copy) HWY_ATTR { copy(to, bytes); });
  });
}

// Runs of more than kVectors - 1 and at most kVectors vectors.
template <std::size_t kVectors>
HWY_INLINE void WriteRunsOfVectors(Byte* dst, const Byte* src, const Runs& runs) {
  const Vectors16 d;
  const std::size_t row_bytes = runs.row_bytes;
  const std::size_t last = runs.RunBytes() - kTinyRow;  // the last vector ends with the run
  const std::size_t step = kPhase[row_bytes][kTinyRow];
  const std::size_t phase2 = kPhase[row_bytes][2 * step];
  const auto repeat0 = FromPhase(row_bytes, 0);
  const auto repeat1 = FromPhase(row_bytes, step);
  const auto repeat2 = FromPhase(row_bytes, phase2);
  const auto repeat_last = FromPhase(row_bytes, row_bytes - (step == 0 ? row_bytes : step));
  ForEachTinyRow(dst, src, runs, [=](Byte* to, hn::Vec<Vectors16> row) HWY_ATTR {
    if constexpr (kVectors > 1) hn::StoreU(hn::TableLookupBytes(row, repeat0), d, to);
    if constexpr (kVectors > 2) hn::StoreU(hn::TableLookupBytes(row, repeat1), d, to + kTinyRow);
    if constexpr (kVectors > 3) {
      hn::StoreU(hn::TableLookupBytes(row, repeat2), d, to + 2 * kTinyRow);
    }
    hn::StoreU(hn::TableLookupBytes(row, repeat_last), d, to + last);
  });
}

// Runs of at least a vector.
HWY_INLINE void WriteLongTinyRuns(Byte* dst, const Byte* src, const Runs& runs) {
  const Vectors16 d;
  const std::size_t row_bytes = runs.row_bytes;
  const std::size_t last = runs.RunBytes() - kTinyRow;
  const std::size_t step = kPhase[row_bytes][kTinyRow];
  ForEachTinyRow(dst, src, runs, [=](Byte* to, hn::Vec<Vectors16> row) HWY_ATTR {
    std::size_t phase = 0;
    for (std::size_t at = 0; at < last; at += kTinyRow) {
      hn::StoreU(hn::TableLookupBytes(row, FromPhase(row_bytes, phase)), d, to + at);
      phase += step;
      if (phase >= row_bytes) phase -= row_bytes;
    }
    phase = row_bytes - (step == 0 ? row_bytes : step);
    hn::StoreU(hn::TableLookupBytes(row, FromPhase(row_bytes, phase)), d, to + last);
  });
}

inline HWY_ATTR void WriteTinyRuns(Byte* dst, const Byte* src, const Runs& runs) {
  const std::size_t run_bytes = runs.RunBytes();
  if (run_bytes < kTinyRow) return WriteRunsBelowVector(dst, src, runs);
  switch ((run_bytes + kTinyRow - 1) / kTinyRow) {
    case 1:
      return WriteRunsOfVectors<1>(dst, src, runs);
    case 2:
      return WriteRunsOfVectors<2>(dst, src, runs);
    case 3:
      return WriteRunsOfVectors<3>(dst, src, runs);
    case 4:
      return WriteRunsOfVectors<4>(dst, src, runs);
    default:
      return WriteLongTinyRuns(dst, src, runs);
  }
}

// Rows of which a whole number fits into a vector, in short runs: each vector of the source is
// shuffled into `repeats` of the result.
inline HWY_ATTR void WriteInterleaved(Byte* dst, const Byte* src, const Runs& runs) {
  const Vectors16 d;
  HWY_ALIGN Byte index[kMaxInterleaved * kTinyRow];
  for (std::size_t i = 0; i < runs.repeats * kTinyRow; ++i) {
    index[i] = static_cast<Byte>(i / runs.RunBytes() * runs.row_bytes + i % runs.row_bytes);
  }
  const std::size_t rows_in_vector = kTinyRow / runs.row_bytes;
  std::size_t rows_left = runs.count;
  if (runs.repeats == 2) {  // the common case, 1.7 times as fast without the inner loop
    const auto low = hn::Load(d, index);
    const auto high = hn::Load(d, index + kTinyRow);
    for (; rows_left >= rows_in_vector; rows_left -= rows_in_vector, src += kTinyRow) {
      const auto rows = hn::LoadU(d, src);
      hn::StoreU(hn::TableLookupBytes(rows, low), d, dst);
      hn::StoreU(hn::TableLookupBytes(rows, high), d, dst + kTinyRow);
      dst += 2 * kTinyRow;
    }
  }
  for (; rows_left >= rows_in_vector; rows_left -= rows_in_vector, src += kTinyRow) {
    const auto rows = hn::LoadU(d, src);
    for (std::size_t i = 0; i < runs.repeats; ++i, dst += kTinyRow) {
      hn::StoreU(hn::TableLookupBytes(rows, hn::Load(d, index + i * kTinyRow)), d, dst);
    }
  }
  WriteTinyRuns(dst, src, {rows_left, runs.row_bytes, runs.repeats});
}

HWY_INLINE bool TakesBroadcast(std::size_t row_bytes) {
  return IsTinyRow(row_bytes) && std::has_single_bit(row_bytes);
}

// A vector of copies of a row that TakesBroadcast. Reads only the row.
HWY_INLINE hn::Vec<Vectors> Broadcast(const Byte* row, std::size_t row_bytes) {
  const Vectors d;
  std::uint64_t word = 0;
  switch (row_bytes) {
    case 1:
      return hn::Set(d, *row);
    case 2:
      std::memcpy(&word, row, 2);
      return hn::BitCast(
          d, hn::Set(hn::Repartition<std::uint16_t, Vectors>(), static_cast<std::uint16_t>(word)));
    case 4:
      std::memcpy(&word, row, 4);
      return hn::BitCast(
          d, hn::Set(hn::Repartition<std::uint32_t, Vectors>(), static_cast<std::uint32_t>(word)));
    case 8:
      std::memcpy(&word, row, 8);
      return hn::BitCast(d, hn::Set(hn::Repartition<std::uint64_t, Vectors>(), word));
    default:
      return hn::LoadDup128(d, row);
  }
}

// Fetches the lines of what is written next, some way ahead.
class Ahead {
 public:
  Ahead(const Byte* dst, const Runs& runs) : end_(dst + runs.count * runs.RunBytes()) {}

  // For the `bytes` that are about to be written at `dst`. Nothing beyond the end is fetched.
  HWY_INLINE void Fetch(const Byte* dst, std::size_t bytes) const {
    const Byte* const ahead = std::min(dst + kPrefetchAheadBytes, end_ - bytes);
    for (std::size_t at = 0; at < bytes; at += kLineBytes) PrefetchForWriting(ahead + at);
  }

 private:
  const Byte* end_;
};

// Fetches nothing: for what stays in L1.
struct NotAhead {
  HWY_INLINE void Fetch(const Byte* /*dst*/, std::size_t /*bytes*/) const {}
};

// Calls write(ahead) with what pays for the runs.
template <class Write>
HWY_INLINE void WithAhead(const Byte* dst, const Runs& runs, const Write& write) {
  if (runs.count * runs.RunBytes() < kPrefetchFromBytes) return write(NotAhead());
  write(Ahead(dst, runs));
}

// Runs of at least a vector, of rows that Broadcast takes. Within its caller GCC makes it slower:
// 16 KiB take 0.20 us instead of 0.18.
template <class AnyAhead>
HWY_NOINLINE HWY_ATTR void WriteFills(Byte* dst, const Byte* src, const Runs& runs,
                                      const AnyAhead& ahead) {
  const Vectors d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t run_bytes = runs.RunBytes();
  for (std::size_t row = 0; row < runs.count; ++row, src += runs.row_bytes, dst += run_bytes) {
    const auto fill = Broadcast(src, runs.row_bytes);
    std::size_t at = 0;
    for (; run_bytes - at >= 4 * lanes; at += 4 * lanes) {
      ahead.Fetch(dst + at, 4 * lanes);
      hn::StoreU(fill, d, dst + at);
      hn::StoreU(fill, d, dst + at + lanes);
      hn::StoreU(fill, d, dst + at + 2 * lanes);
      hn::StoreU(fill, d, dst + at + 3 * lanes);
    }
    for (; run_bytes - at >= lanes; at += lanes) hn::StoreU(fill, d, dst + at);
    if (at != run_bytes) hn::StoreU(fill, d, dst + run_bytes - lanes);
  }
}

// The same past the caches.
inline HWY_ATTR void StreamFills(Byte* dst, const Byte* src, const Runs& runs) {
  const Vectors d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t run_bytes = runs.RunBytes();
  for (std::size_t row = 0; row < runs.count; ++row, src += runs.row_bytes, dst += run_bytes) {
    const auto fill = Broadcast(src, runs.row_bytes);
    // A line somewhere off a row's beginning holds the row turned round by as much.
    HWY_ALIGN Byte turned[2 * kLineBytes];
    for (std::size_t at = 0; at < 2 * kLineBytes; at += lanes) hn::Store(fill, d, turned + at);
    const std::size_t off_line = -reinterpret_cast<std::uintptr_t>(dst) % kLineBytes;
    const std::size_t head = std::min<std::size_t>(off_line, run_bytes);
    CopyCached(dst, turned, head);
    const auto line = hn::LoadU(d, turned + head % runs.row_bytes);
    std::size_t at = head;
    for (; run_bytes - at >= kLineBytes; at += kLineBytes) {
      for (std::size_t in_line = 0; in_line < kLineBytes; in_line += lanes) {
        hn::Stream(line, d, dst + at + in_line);
      }
    }
    CopyCached(dst + at, turned + at % runs.row_bytes, run_bytes - at);
  }
}

// Rows of kVectors - 1 to kVectors vectors stay in registers for their run.
template <std::size_t kVectors, class AnyAhead>
HWY_INLINE void WriteFromRegisters(Byte* dst, const Byte* src, const Runs& runs,
                                   const AnyAhead& ahead) {
  const Vectors d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t last = runs.row_bytes - lanes;  // the last vector ends with the row
  for (std::size_t row = 0; row < runs.count; ++row, src += runs.row_bytes) {
    const auto v_last = hn::LoadU(d, src + last);
    const auto v0 = kVectors > 1 ? hn::LoadU(d, src) : v_last;
    const auto v1 = kVectors > 2 ? hn::LoadU(d, src + lanes) : v_last;
    const auto v2 = kVectors > 3 ? hn::LoadU(d, src + 2 * lanes) : v_last;
    for (std::size_t i = 0; i < runs.repeats; ++i, dst += runs.row_bytes) {
      ahead.Fetch(dst, kVectors * lanes);
      if constexpr (kVectors > 1) hn::StoreU(v0, d, dst);
      if constexpr (kVectors > 2) hn::StoreU(v1, d, dst + lanes);
      if constexpr (kVectors > 3) hn::StoreU(v2, d, dst + 2 * lanes);
      hn::StoreU(v_last, d, dst + last);
    }
  }
}

template <class CopyRow>
HWY_INLINE void WriteEachRow(Byte* dst, const Byte* src, const Runs& runs,
                             const CopyRow& copy_row) {
  for (std::size_t row = 0; row < runs.count; ++row, src += runs.row_bytes) {
    for (std::size_t i = 0; i < runs.repeats; ++i, dst += runs.row_bytes) copy_row(dst, src);
  }
}

inline HWY_ATTR void WriteRuns(Byte* dst, const Byte* src, const Runs& runs) {
  const std::size_t lanes = hn::Lanes(Vectors());
  const std::size_t row_bytes = runs.row_bytes;
  if (IsTinyRow(row_bytes)) {
    if (TakesBroadcast(row_bytes)) {
      if (runs.repeats <= kMaxInterleaved && runs.count * row_bytes >= kInterleaveFromBytes) {
        return WriteInterleaved(dst, src, runs);
      }
      if (runs.RunBytes() >= lanes) {
        return WithAhead(dst, runs,
                         [&](auto ahead) HWY_ATTR { WriteFills(dst, src, runs, ahead); });
      }
    }
    return WriteTinyRuns(dst, src, runs);
  }
  if (row_bytes < lanes) {
    return WithCopyBelowVector(row_bytes,
                               [&](auto copy) HWY_ATTR { WriteEachRow(dst, src, runs, copy); });
  }
  const auto from_registers = [&](auto vectors) HWY_ATTR {
    WithAhead(dst, runs, [&](auto ahead) HWY_ATTR {
      WriteFromRegisters<decltype(vectors)::value>(dst, src, runs, ahead);
    });
  };
  switch ((row_bytes + lanes - 1) / lanes) {
    case 1:
      return from_registers(std::integral_constant<std::size_t, 1>());
    case 2:
      return from_registers(std::integral_constant<std::size_t, 2>());
    case 3:
      return from_registers(std::integral_constant<std::size_t, 3>());
    case 4:
      return from_registers(std::integral_constant<std::size_t, 4>());
    default:
      return WriteEachRow(dst, src, runs, [=](Byte* to, const Byte* from) HWY_ATTR {
        CopyVectors(to, from, row_bytes);
      });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // BELAY_KERNELS_TILE_RUN_INL_H_
