// Runs the scenario that the first argument names.
#include <cstring>

#include "runtime/machine.h"
#include "runtime/scenario.h"
#include "runtime/stream.h"

namespace belay::test {
namespace {

class Last {
 public:
  Last() = default;
  Last(const Last&) = delete;
  Last& operator=(const Last&) = delete;
  ~Last() {
    if (body_) body_();
  }
  void Set(std::function<void()> body) { body_ = std::move(body); }

 private:
  std::function<void()> body_;
};

Last last;  // constructed before main, so destroyed after all that the API set up

}  // namespace

void AfterMain(std::function<void()> body) { last.Set(std::move(body)); }

Status LaunchForever(aclrtStream stream, const std::function<Status()>& body, bool small) {
  Launch launch;
  launch.plan.operation = "TestOperation";
  launch.plan.run = [](const Plan& plan, std::span<void* const>) {
    return (*plan.Parameters<const std::function<Status()>*>())();
  };
  launch.plan.AddAccess({"var", 0, AccessMode::kWrite, 0, small ? 64U : 1U << 30});
  launch.plan.EmplaceParameters<decltype(&body)>(&body);
  return runtime::Stream::Submit(runtime::Machine::Get().streams().Acquire(stream),
                                 runtime::LaunchTask{launch, {}});
}

}  // namespace belay::test

int main(int argc, char** argv) {
  using belay::test::Scenario;
  if (argc == 2) {
    for (const std::span<const Scenario> group :
         {belay::test::EndScenarios(), belay::test::ForkScenarios(),
          belay::test::EnvironmentScenarios()}) {
      for (const Scenario& scenario : group) {
        if (std::strcmp(argv[1], scenario.name) == 0) return scenario.run();
      }
    }
  }
  std::fprintf(stderr, "no such scenario\n");
  return 2;
}
