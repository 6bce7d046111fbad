// Threads that run a piece of work together. They sleep between two works, as those of a program
// that must not use a CPU while it has nothing to do.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace belay::bench {

class Team {
 public:
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Runs work(0) to work(threads - 1), the first on the calling thread; returns when all are done.
  void Run(const std::function<void(unsigned)>& work);

 private:
  void Serve(unsigned rank);

  std::atomic<unsigned> round_{0};
  std::atomic<unsigned> busy_{0};
  const std::function<void(unsigned)>* work_ = nullptr;  // null ends the threads
  std::vector<std::thread> threads_;
};

}  // namespace belay::bench
