// What aclnnTransQuantParam does once it has a block: the operator's plan into memory that is
// ready.
#include <algorithm>
#include <random>

#include "check.h"
#include "contest.h"
#include "memory.h"
#include "ops/quant_param/quant_param.h"
#include "peers/plain_loops.h"

namespace belay::bench {
namespace {

class QuantKernelContest : public Contest {
 public:
  QuantKernelContest(std::size_t n, bool with_offset)
      : n_(n), scale_(DeviceBlock(4 * n)), words_(DeviceBlock(8 * n)) {
    std::mt19937 random(1);
    for (std::size_t i = 0; i < n; ++i) Scale()[i] = static_cast<float>(random() % 1000) / 256.0F;
    if (!with_offset) return;
    offset_ = DeviceBlock(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
      Offset()[i] = static_cast<float>(random() % 2048) / 4.0F - 256.0F;
    }
  }

  std::vector<Contestant> MakeContestants(std::span<const std::unique_ptr<Peer>>) override {
    ops::QuantParam::Params params;
    params.scale_array = Scale();
    params.scale_size = n_;
    params.offset_array = Offset();
    params.offset_size = offset_ == nullptr ? 0 : n_;
    const ops::Profile who{ops::Face::kAclnn, nullptr, Behaviour::kDocumented};
    const auto plan = ops::QuantParam::MakePlan(params, who);
    if (!plan) Check(1, "QuantParam::MakePlan");

    Launch launch{*plan, {}};
    launch.addresses[ops::QuantParam::kScaleArray] = Scale();
    launch.addresses[ops::QuantParam::kOffsetArray] = Offset();
    launch.addresses[ops::QuantParam::kQuantParam] = words_.get();
    const auto run = [launch] {
      if (!launch.Run().ok()) Check(1, "Launch::Run");
    };
    const auto loops = [this] {
      plain::PackQuant(Scale(), Offset(), static_cast<std::int64_t>(n_), Words());
    };
    return {{.name = "Belay", .run = run, .settle = {}},
            {.name = "loops", .run = loops, .settle = {}}};
  }

  void Reset() override { std::fill_n(Words(), n_, 0); }

  [[nodiscard]] std::vector<std::byte> Result() const override {
    return {words_.get(), words_.get() + 8 * n_};
  }

 private:
  [[nodiscard]] float* Scale() const { return reinterpret_cast<float*>(scale_.get()); }
  [[nodiscard]] float* Offset() const { return reinterpret_cast<float*>(offset_.get()); }
  [[nodiscard]] std::uint64_t* Words() const {
    return reinterpret_cast<std::uint64_t*>(words_.get());
  }

  std::size_t n_;
  Block scale_;
  Block offset_{nullptr, {nullptr, 0}};
  Block words_;
};

}  // namespace

void AddQuantKernelCases(Cases& cases) {
  const struct {
    std::size_t n;
    bool with_offset;
    double ratio;
  } kernels[] = {{4096, false, 1.3},
                 {4096, true, 1.4},
                 {std::size_t{1} << 20, false, 1.05},
                 {std::size_t{1} << 20, true, 1.3},
                 {std::size_t{1} << 26, false, 1.1},
                 {std::size_t{1} << 26, true, 1.3}};
  for (const auto& [n, with_offset, ratio] : kernels) {
    Case kernel;
    kernel.group = "TransQuantParam";
    kernel.name = "TransQuantParam n = " + std::to_string(n) + (with_offset ? " with offset" : "") +
                  ", into ready memory";
    const auto words = static_cast<double>(n);
    kernel.traffic = {{Kind::kExpand, 12 * words}};
    if (with_offset) kernel.traffic.push_back({Kind::kRead, 4 * words});
    kernel.working_set = n * (with_offset ? 16 : 12);
    kernel.target = {.ratio = ratio};
    kernel.prepare = [n = n, with_offset = with_offset] {
      return std::make_unique<QuantKernelContest>(n, with_offset);
    };
    cases.push_back(std::move(kernel));
  }
}

}  // namespace belay::bench
