#include "limits/team.h"

namespace belay::bench {

Team::Team(unsigned threads) {
  for (unsigned rank = 1; rank < threads; ++rank) {
    threads_.emplace_back([this, rank] { Serve(rank); });
  }
}

Team::~Team() {
  work_ = nullptr;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::Run(const std::function<void(unsigned)>& work) {
  work_ = &work;
  busy_ = static_cast<unsigned>(threads_.size());
  ++round_;
  round_.notify_all();
  work(0);
  for (unsigned busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
}

void Team::Serve(unsigned rank) {
  for (unsigned seen = 0;;) {
    round_.wait(seen);
    ++seen;
    if (work_ == nullptr) return;
    (*work_)(rank);
    if (--busy_ == 0) busy_.notify_one();
  }
}

}  // namespace belay::bench
