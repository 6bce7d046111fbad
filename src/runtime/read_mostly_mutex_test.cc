#include "runtime/read_mostly_mutex.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace belay::runtime {
namespace {

TEST(ReadMostlyMutex, ReadersShare) {
  ReadMostlyMutex mutex;
  const std::shared_lock mine(mutex);
  std::thread([&] { const std::shared_lock other(mutex); }).join();
}

// A reader that comes while a writer waits for the first one waits for the writer.
TEST(ReadMostlyMutex, AWriterWaitsForReadersAndKeepsOthersOut) {
  ReadMostlyMutex mutex;
  std::atomic<bool> reading{true};
  std::atomic<bool> written{false};
  std::shared_lock first(mutex);
  std::thread writer([&] {
    const std::unique_lock lock(mutex);
    EXPECT_FALSE(reading.load());
    written.store(true);
  });
  std::thread reader([&] {
    for (int i = 0; i < 100000 && !written.load(); ++i) const std::shared_lock lock(mutex);
  });
  EXPECT_FALSE(written.load());
  reading.store(false);
  first.unlock();
  writer.join();
  reader.join();
  EXPECT_TRUE(written.load());
}

TEST(ReadMostlyMutex, WaitsForThoseWhoReadNow) {
  ReadMostlyMutex mutex;
  mutex.WaitForReaders();
  std::atomic<bool> reading{true};
  std::shared_lock first(mutex);
  std::thread waiter([&] {
    mutex.WaitForReaders();
    EXPECT_FALSE(reading.load());
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  reading.store(false);
  first.unlock();
  waiter.join();
}

// Readers see an old pair or a new one; what was old is not touched before they have gone.
TEST(ReadMostlyMutex, WhatReadersSawIsChangedAfterThem) {
  constexpr int kRounds = 2000;
  ReadMostlyMutex mutex;
  struct Pair {
    std::atomic<std::uint64_t> first{0};
    std::atomic<std::uint64_t> second{0};
  };
  std::array<Pair, 2> pairs;
  std::atomic<std::size_t> current{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!done.load()) {
        const std::shared_lock lock(mutex);
        const Pair& pair = pairs[current.load()];
        const std::uint64_t first = pair.first.load(std::memory_order_relaxed);
        EXPECT_EQ(pair.second.load(std::memory_order_relaxed), first);
      }
    });
  }
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    const std::size_t next = 1 - current.load();
    pairs[next].first.store(round, std::memory_order_relaxed);
    std::this_thread::yield();  // who still read the pair now would see it half changed
    pairs[next].second.store(round, std::memory_order_relaxed);
    current.store(next);
    mutex.WaitForReaders();
  }
  done.store(true);
  for (std::thread& reader : readers) reader.join();
}

// Both counters change under the lock only, so nobody ever sees them apart.
TEST(ReadMostlyMutex, StormOfReadersAndWriters) {
  constexpr int kRounds = 3000;
  ReadMostlyMutex mutex;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::unique_lock lock(mutex);
        ++a;
        ++b;
      }
    });
  }
  for (int i = 0; i < 10; ++i) {  // more than shards
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::shared_lock lock(mutex);
        EXPECT_EQ(a, b);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(a, 2U * kRounds);
}

}  // namespace
}  // namespace belay::runtime
