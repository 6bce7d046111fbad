#include "peers/peer.h"

namespace belay::bench {

std::vector<std::unique_ptr<Peer>> MakePeers([[maybe_unused]] unsigned threads) {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(MakeLoops());
#ifdef BELAY_BENCH_TORCH
  peers.push_back(MakeTorch(threads));
#endif
#ifdef BELAY_BENCH_NUMPY
  peers.push_back(MakeNumpy());
#endif
#ifdef BELAY_BENCH_EIGEN
  peers.push_back(MakeEigen());
#endif
  return peers;
}

}  // namespace belay::bench
