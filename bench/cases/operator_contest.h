// The contest of an operator: Belay in one of its call modes, and every peer that has the operator.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contest.h"
#include "memory.h"
#include "peers/belay_peer.h"

namespace belay::bench {

template <class Problem>
using Operation = Call (Peer::*)(const Problem&);

/// A call that does one problem after the other, and begins again after the last.
inline Call InTurn(std::vector<Call> calls) {
  if (calls.size() == 1) return std::move(calls[0]);
  return [calls = std::move(calls), next = std::size_t{0}]() mutable {
    calls[next]();
    if (++next == calls.size()) next = 0;
  };
}

inline Call Train(Call call) {
  return [call = std::move(call)] {
    for (std::uint64_t i = 0; i < kTrainLength; ++i) call();
  };
}

template <class Problem>
class OperatorContest : public Contest {
 public:
  OperatorContest(CallMode mode, Operation<Problem> operation)
      : belay_(mode), mode_(mode), operation_(operation) {}

  std::vector<Contestant> MakeContestants(std::span<const std::unique_ptr<Peer>> peers) override {
    std::vector<Contestant> contestants;
    Enter(contestants, belay_);
    if (mode_ == CallMode::kLaunch) contestants[0].settle = [this] { belay_.Synchronize(); };
    for (const auto& peer : peers) Enter(contestants, *peer);
    if (mode_ == CallMode::kTrain || mode_ == CallMode::kLaunch) {
      for (Contestant& contestant : contestants) contestant.calls = kTrainLength;
    }
    return contestants;
  }

  void Reset() override { std::memset(output_.get(), 0, output_bytes_); }

  [[nodiscard]] std::vector<std::byte> Result() const override {
    return {output_.get(), output_.get() + output_bytes_};
  }

 protected:
  /// Memory of the case; inputs are filled by the case.
  std::byte* Input(std::size_t bytes) {
    inputs_.push_back(DeviceBlock(bytes));
    return inputs_.back().get();
  }
  std::byte* Output(std::size_t bytes) {
    output_ = DeviceBlock(bytes);
    output_bytes_ = bytes;
    return output_.get();
  }
  void Add(Problem problem) { problems_.push_back(std::move(problem)); }

 private:
  void Enter(std::vector<Contestant>& contestants, Peer& peer) {
    std::vector<Call> calls;
    for (const Problem& problem : problems_) {
      Call call = (peer.*operation_)(problem);
      if (!call) return;
      calls.push_back(std::move(call));
    }
    Contestant contestant;
    contestant.name = peer.name();
    contestant.run = InTurn(std::move(calls));
    // Belay's own calls are trains already.
    const bool train = mode_ == CallMode::kTrain || mode_ == CallMode::kLaunch;
    if (train && &peer != &belay_) contestant.run = Train(std::move(contestant.run));
    contestants.push_back(std::move(contestant));
  }

  std::vector<Problem> problems_;
  std::vector<Block> inputs_;
  Block output_{nullptr, {nullptr, 0}};
  std::size_t output_bytes_ = 0;
  Belay belay_;
  CallMode mode_;
  Operation<Problem> operation_;
};

}  // namespace belay::bench
