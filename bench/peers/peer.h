// Somebody who can do the work: Belay, or a library that a program might use instead.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "problem.h"

namespace belay::bench {

/// Each function prepares everything that can be prepared (views, descriptions, plans) and returns
/// the call that does the work, or nothing where the library has no sensible way to do it.
class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  virtual Call SetValue(const SetValueProblem&) { return {}; }
  virtual Call Repeat(const RepeatProblem&) { return {}; }
  virtual Call IndexAdd(const IndexAddProblem&) { return {}; }
};

/// Those that this build has. Libraries that can use threads use `threads`.
std::vector<std::unique_ptr<Peer>> MakePeers(unsigned threads);

std::unique_ptr<Peer> MakeLoops();
std::unique_ptr<Peer> MakeTorch(unsigned threads);
std::unique_ptr<Peer> MakeNumpy();
std::unique_ptr<Peer> MakeEigen();

}  // namespace belay::bench
