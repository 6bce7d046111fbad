#include "runtime/handle_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace belay::runtime {
namespace {

std::atomic<int> alive{0};

struct Object {
  explicit Object(int number) noexcept : value(number) { ++alive; }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    value = -1;
    --alive;
  }
  std::atomic<int> value;
};

class HandleTableTest : public testing::Test {
 protected:
  void SetUp() override { alive = 0; }
  Watch watch_;
  HandleTable<Object> table_{HandleKind::kStream, &watch_};
};

TEST_F(HandleTableTest, FindsWhatWasMade) {
  const Ref<Object> made = table_.Create(7);
  ASSERT_TRUE(made);
  const Ref<Object> found = table_.Acquire(made.handle());
  ASSERT_TRUE(found);
  EXPECT_EQ(found.get(), made.get());
  EXPECT_EQ(found->value, 7);
  EXPECT_EQ(found.handle(), made.handle());
}

TEST_F(HandleTableTest, AnObjectIsCompleteBeforeItHasAHandle) {
  void* const handle =
      table_.CreateFilled([](Object& object) noexcept { object.value = object.value + 1; }, 7);
  ASSERT_TRUE(table_.IsAlive(handle));
  EXPECT_EQ(table_.Acquire(handle)->value, 8);
  EXPECT_TRUE(table_.Retire(handle));
  EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, AHeldObjectIsRetiredOnce) {
  void* const handle = table_.Create(1).handle();
  {
    const Ref<Object> held = table_.Acquire(handle);
    EXPECT_TRUE(table_.Retire(held, "has ended"));
    EXPECT_FALSE(table_.Retire(held));
    EXPECT_FALSE(table_.Acquire(handle));
    EXPECT_EQ(held->value, 1);
    EXPECT_NE(table_.Describe(handle).find("has ended"), std::string::npos);
  }
  EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, RefusesWhatIsNoHandle) {
  const Ref<Object> made = table_.Create(1);
  int local = 0;
  HandleParts parts{};
  ASSERT_TRUE(HandleParts::Decode(made.handle(), parts));
  const auto variant = [&](HandleKind kind, std::uint32_t generation, std::uint32_t slot) {
    return HandleParts{kind, generation, slot}.Encode();
  };
  const std::vector<const void*> bad = {
      nullptr,
      &local,
      reinterpret_cast<const void*>(UINTPTR_MAX),
      variant(HandleKind::kEvent, parts.generation, parts.slot),
      variant(static_cast<HandleKind>(0), parts.generation, parts.slot),
      variant(static_cast<HandleKind>(15), parts.generation, parts.slot),
      variant(HandleKind::kStream, parts.generation + 1, parts.slot),
      variant(HandleKind::kStream, 0, parts.slot),
      variant(HandleKind::kStream, parts.generation, parts.slot + 1),
      variant(HandleKind::kStream, parts.generation, 1U << 20),
      variant(HandleKind::kStream, parts.generation, HandleParts::kSlotMask),
  };
  for (const void* handle : bad) {
    EXPECT_FALSE(table_.Acquire(handle)) << handle;
    EXPECT_FALSE(table_.Retire(handle)) << handle;
  }
  EXPECT_TRUE(table_.Acquire(made.handle()));
}

TEST_F(HandleTableTest, AStaleHandleIsNeverTakenForALaterObject) {
  std::set<void*> handles;
  for (int i = 0; i < 5000; ++i) {
    void* const handle = table_.Create(i).handle();
    EXPECT_TRUE(handles.insert(handle).second) << "given out twice";
    EXPECT_TRUE(table_.Retire(handle));
    EXPECT_FALSE(table_.Acquire(handle));
    EXPECT_FALSE(table_.Retire(handle));
  }
  EXPECT_EQ(alive, 0);
  const Ref<Object> last = table_.Create(0);
  for (void* handle : handles) EXPECT_FALSE(table_.Acquire(handle));
}

TEST_F(HandleTableTest, AnObjectLivesUntilItsLastRef) {
  Ref<Object> made = table_.Create(3);
  void* const handle = made.handle();
  Ref<Object> copy = made;
  Ref<Object> retired = table_.Retire(handle);
  EXPECT_TRUE(retired);
  EXPECT_FALSE(table_.Acquire(handle));
  retired.Reset();
  made.Reset();
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(copy->value, 3);
  EXPECT_EQ(copy.handle(), handle);
  Ref<Object> moved = std::move(copy);
  EXPECT_EQ(alive, 1);
  moved = Ref<Object>();
  EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, RefsCanBeAssignedToThemselves) {
  Ref<Object> made = table_.Create(3);
  const Ref<Object>& same = made;
  made = same;
  EXPECT_EQ(made->value, 3);
  (void)table_.Retire(made.handle());
  made = same;
  EXPECT_EQ(made->value, 3);
}

TEST_F(HandleTableTest, AnObjectThatCannotBeMadeLeavesNothing) {
  struct Throws {
    Throws() { throw std::runtime_error("no"); }
  };
  HandleTable<Throws> table(HandleKind::kEvent);
  for (int i = 0; i < 1000; ++i) EXPECT_THROW((void)table.Create(), std::runtime_error);
  EXPECT_TRUE(table.All().empty());
}

TEST_F(HandleTableTest, AllGivesWhatLives) {
  std::vector<Ref<Object>> refs;
  for (int i = 0; i < 700; ++i) refs.push_back(table_.Create(i));
  for (std::size_t i = 0; i < refs.size(); i += 2) (void)table_.Retire(refs[i].handle());
  std::set<int> seen;
  for (const Ref<Object>& object : table_.All()) seen.insert(object->value);
  EXPECT_EQ(seen.size(), 350U);
  for (const int value : seen) EXPECT_EQ(value % 2, 1);
}

TEST_F(HandleTableTest, ForEachMayRetireWhatItVisits) {
  for (int i = 0; i < 300; ++i) (void)table_.Create(i);
  int visited = 0;
  table_.ForEach([&](const Ref<Object>& object) {
    ++visited;
    EXPECT_TRUE(table_.Retire(object.handle()));
  });
  EXPECT_EQ(visited, 300);
  EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, ExactlyOneRetireWins) {
  for (int round = 0; round < 200; ++round) {
    void* const handle = table_.Create(round).handle();
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        if (table_.Retire(handle)) ++winners;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, WhatIsLookedAtStays) {
  void* const handle = table_.Create(7).handle();
  std::atomic<bool> ended{false};
  Watch::Looking looking = watch_.Look();
  const Object* const seen = table_.Look(looking, handle);
  ASSERT_NE(seen, nullptr);
  std::thread ender([&] {
    (void)table_.Retire(handle);
    ended = true;
  });
  while (table_.IsAlive(handle)) std::this_thread::yield();
  EXPECT_EQ(table_.Look(looking, handle), nullptr);
  EXPECT_EQ(seen->value, 7);
  EXPECT_FALSE(ended);
  EXPECT_EQ(alive, 1);
  looking.unlock();
  ender.join();
  EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, LooksFindTheLivingOnly) {
  const Watch::Looking looking = watch_.Look();
  EXPECT_EQ(table_.Look(looking, nullptr), nullptr);
  EXPECT_EQ(table_.Look(looking, &alive), nullptr);
  const auto other = HandleParts{HandleKind::kEvent, 1, 0}.Encode();
  EXPECT_EQ(table_.Look(looking, other), nullptr);
}

TEST_F(HandleTableTest, EachEndingIsCountedOnce) {
  const std::uint64_t before = watch_.endings();
  void* const handle = table_.Create(7).handle();
  Ref<Object> held = table_.Create(8);
  EXPECT_EQ(watch_.endings(), before);
  EXPECT_TRUE(table_.Retire(handle));
  EXPECT_FALSE(table_.Retire(handle));
  EXPECT_EQ(watch_.endings(), before + 1);
  EXPECT_TRUE(table_.Retire(held));
  EXPECT_FALSE(table_.Retire(held));
  held.Reset();
  EXPECT_EQ(watch_.endings(), before + 2);
}

TEST_F(HandleTableTest, StormOfThreads) {
  constexpr std::size_t kSlots = 16;
  std::vector<std::atomic<void*>> shared(kSlots);
  std::atomic<int> broken{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      unsigned random = t * 7919 + 1;
      for (int i = 0; i < 10000; ++i) {
        random = random * 1103515245 + 12345;
        std::atomic<void*>& slot = shared[(random >> 8) % kSlots];
        switch ((random >> 16) % 7) {
          case 0: {
            const Ref<Object> made = table_.Create(i);
            if (void* old = slot.exchange(made.handle()); old != nullptr) (void)table_.Retire(old);
            break;
          }
          case 1:
            (void)table_.Retire(slot.load());
            break;
          case 3: {
            void* const made = table_.CreateFilled([](Object&) noexcept {}, i);
            if (void* old = slot.exchange(made); old != nullptr) (void)table_.Retire(old);
            break;
          }
          case 4:
            if (const Ref<Object> held = table_.Acquire(slot.load())) {
              (void)table_.Retire(held);
              broken += held->value < 0;
            }
            break;
          case 5: {
            const Watch::Looking looking = watch_.Look();
            const Object* const seen = table_.Look(looking, slot.load());
            for (int look = 0; seen != nullptr && look < 8; ++look) broken += seen->value < 0;
            break;
          }
          case 2:
            if (i % 64 == 0) {
              for (const Ref<Object>& object : table_.All()) broken += object->value < 0;
            }
            break;
          default:
            if (const Ref<Object> found = table_.Acquire(slot.load())) broken += found->value < 0;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(broken, 0);
  for (const auto& handle : shared) (void)table_.Retire(handle.load());
  EXPECT_EQ(alive, 0);
  EXPECT_TRUE(table_.All().empty());
}

TEST(HandleTable, ExhaustionIsRefusedAndPasses) {
  HandleTable<char> table(HandleKind::kDataBuffer);
  std::vector<void*> handles;
  const auto fill = [&] {
    for (;;) handles.push_back(table.Create('x').handle());
  };
  EXPECT_THROW(fill(), std::bad_alloc);
  EXPECT_EQ(handles.size(), std::size_t{8192} * 256);
  try {
    (void)table.Create('y');
    ADD_FAILURE();
  } catch (const HandlesUsedUp& limit) {
    EXPECT_EQ(std::string(limit.what()).find(std::to_string(handles.size())), 0U);
  }
  EXPECT_TRUE(table.Retire(handles.back()));
  EXPECT_TRUE(table.Create('z'));
}

TEST(HandleTable, DescribesWhatABadHandleIs) {
  int local = 0;
  const auto handle = HandleParts{HandleKind::kEvent, 1, 0}.Encode();
  EXPECT_EQ(DescribeBadHandle(nullptr, HandleKind::kStream), "null");
  EXPECT_NE(DescribeBadHandle(&local, HandleKind::kStream).find("no handle"), std::string::npos);
  EXPECT_NE(DescribeBadHandle(handle, HandleKind::kStream).find("the handle of an event"),
            std::string::npos);
  EXPECT_NE(DescribeBadHandle(handle, HandleKind::kEvent).find("already destroyed"),
            std::string::npos);
  for (const HandleKind kind : {HandleKind::kContext, HandleKind::kStream, HandleKind::kEvent,
                                HandleKind::kDataBuffer, static_cast<HandleKind>(9)}) {
    EXPECT_FALSE(Name(kind).empty());
  }
}

}  // namespace
}  // namespace belay::runtime
