#include "runtime/fault_log.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/message_queue.h"

namespace belay::runtime {
namespace {

Status Fault7(const std::string& text) { return {Fault::kTaskException, text}; }

std::vector<TaskFault> TakeUpTo(FaultLog& log, std::uint64_t sequence) {
  std::vector<TaskFault> faults;
  log.Take(sequence, faults);
  return faults;
}

TEST(FaultLog, NothingToTakeAtFirst) {
  FaultLog log(std::make_shared<FailureStop>());
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(TakeUpTo(log, UINT64_MAX).empty());
  EXPECT_TRUE(Summarize({}).ok());
}

TEST(FaultLog, TakesUpToTheSequenceAndOnce) {
  FaultLog log(std::make_shared<FailureStop>());
  for (const std::uint64_t sequence : {2U, 5U, 9U}) {
    log.Add(sequence, Fault7(std::to_string(sequence)), false);
  }
  EXPECT_TRUE(TakeUpTo(log, 1).empty());
  const std::vector<TaskFault> first = TakeUpTo(log, 5);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].sequence, 2U);
  EXPECT_EQ(first[1].status.message(), "5");
  EXPECT_FALSE(log.empty());
  EXPECT_EQ(TakeUpTo(log, UINT64_MAX).size(), 1U);
  EXPECT_TRUE(log.empty());
}

TEST(FaultLog, TakeAppends) {
  FaultLog one(std::make_shared<FailureStop>());
  FaultLog other(std::make_shared<FailureStop>());
  one.Add(1, Fault7("one"), false);
  other.Add(1, Fault7("other"), false);
  std::vector<TaskFault> faults;
  other.Take(1, faults);
  one.Take(1, faults);
  ASSERT_EQ(faults.size(), 2U);
  // In the order in which they happened, not in which they were collected.
  const Status status = Summarize(std::move(faults));
  EXPECT_EQ(status.fault(), Fault::kTaskException);
  EXPECT_EQ(status.message(), "one\nalso: other");
}

// `count` faults whose messages have `size` bytes each.
std::string SummaryOf(std::size_t count, std::size_t size) {
  FaultLog log(std::make_shared<FailureStop>());
  for (std::size_t i = 1; i <= count; ++i) {
    std::string text = std::to_string(i) + ' ';
    text.resize(size, 'x');
    log.Add(i, Fault7(text), false);
  }
  return Summarize(TakeUpTo(log, UINT64_MAX)).message();
}

TEST(FaultLog, FaultsThatFitNoMessageAreCounted) {
  constexpr std::size_t kRoom = MessageQueue::kMaxBytes - 512;
  for (const std::size_t count : {149U, 150U, 151U, 152U, 200U, 5000U}) {
    const std::string text = SummaryOf(count, 95);  // 102 with what joins them
    EXPECT_LE(text.size(), kRoom) << count;
    std::size_t shown = 1;
    for (auto at = text.find("\nalso: "); at != std::string::npos;
         at = text.find("\nalso: ", at + 1)) {
      ++shown;
    }
    EXPECT_NE(text.find("also: " + std::to_string(shown) + " x"), std::string::npos) << count;
    const std::size_t left = count - shown;
    EXPECT_EQ(left == 0, count <= 150) << count;
    if (left == 0) continue;
    EXPECT_TRUE(text.ends_with(left == 1 ? "\nand 1 further fault that is not shown"
                                         : "\nand " + std::to_string(left) +
                                               " further faults that are not shown"))
        << text.substr(text.size() - 60);
  }
  EXPECT_EQ(SummaryOf(1, 40000).size(), 40000U) << "the first is always there";
  EXPECT_TRUE(SummaryOf(2, 40000).ends_with("\nand 1 further fault that is not shown"));
}

TEST(FaultLog, StopDropsUntilTheFaultIsTaken) {
  const auto stop = std::make_shared<FailureStop>();
  FaultLog log(stop);
  FaultLog neighbour(stop);
  EXPECT_FALSE(log.DropsNext());
  log.Add(1, Fault7("bad"), true);
  EXPECT_TRUE(log.DropsNext());
  EXPECT_TRUE(neighbour.DropsNext());  // all streams of the context
  EXPECT_TRUE(TakeUpTo(neighbour, UINT64_MAX).empty());
  const std::vector<TaskFault> faults = TakeUpTo(log, 1);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].status.message(), "bad\n2 later tasks were dropped (failure mode STOP)");
  EXPECT_FALSE(log.DropsNext());
}

TEST(FaultLog, StopLastsUntilTheLastSuchFaultIsTaken) {
  FaultLog log(std::make_shared<FailureStop>());
  log.Add(1, Fault7("first"), true);
  log.Add(2, Fault7("second"), true);
  (void)TakeUpTo(log, 1);
  EXPECT_TRUE(log.DropsNext());
  (void)TakeUpTo(log, 2);
  EXPECT_FALSE(log.DropsNext());
}

TEST(FaultLog, ALogThatEndsLetsTheOthersGoOn) {
  const auto stop = std::make_shared<FailureStop>();
  FaultLog survivor(stop);
  {
    FaultLog gone(stop);
    gone.Add(1, Fault7("bad"), true);
    EXPECT_TRUE(survivor.DropsNext());
  }
  EXPECT_FALSE(survivor.DropsNext());
}

TEST(FaultLog, NoFaultIsLostOrGivenTwiceAmongThreads) {
  FaultLog log(std::make_shared<FailureStop>());
  constexpr std::uint64_t kFaults = 5000;
  std::atomic<std::size_t> taken{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> takers;
  for (int t = 0; t < 2; ++t) {
    takers.emplace_back([&] {
      while (!done.load()) taken += TakeUpTo(log, UINT64_MAX).size();
    });
  }
  for (std::uint64_t i = 1; i <= kFaults; ++i) log.Add(i, Fault7("x"), i % 2 == 0);
  done = true;
  for (std::thread& taker : takers) taker.join();
  EXPECT_EQ(taken + TakeUpTo(log, UINT64_MAX).size(), kFaults);
  EXPECT_FALSE(log.DropsNext());
}

}  // namespace
}  // namespace belay::runtime
