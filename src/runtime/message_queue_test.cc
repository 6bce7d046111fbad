#include "runtime/message_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace belay::runtime {
namespace {

TEST(MessageQueue, EmptyGivesNull) {
  MessageQueue queue;
  EXPECT_EQ(queue.Take(), nullptr);
}

TEST(MessageQueue, GivesAllOldestFirstOnce) {
  MessageQueue queue;
  queue.Push("first");
  queue.Push("second");
  EXPECT_STREQ(queue.Take(), "first\nsecond");
  EXPECT_EQ(queue.Take(), nullptr);
}

TEST(MessageQueue, TheTextStaysValidUntilTheNextTake) {
  MessageQueue queue;
  queue.Push("first");
  const char* const text = queue.Take();
  queue.Push("second");
  EXPECT_EQ(queue.Take(), std::string("second"));
  queue.Push("third");
  const char* const third = queue.Take();
  queue.Push("fourth");
  EXPECT_STREQ(third, "third");
  (void)text;
}

TEST(MessageQueue, OldestMakeWay) {
  MessageQueue queue;
  for (int i = 0; i < 5000; ++i) queue.Push("message " + std::to_string(i));
  const std::string text = queue.Take();
  EXPECT_LE(text.size(), MessageQueue::kMaxBytes);
  EXPECT_GT(text.size(), MessageQueue::kMaxBytes - 32);
  EXPECT_TRUE(text.ends_with("message 4998\nmessage 4999"));
  EXPECT_TRUE(text.starts_with("message "));
}

TEST(MessageQueue, ALongMessageIsCutAndComesAlone) {
  MessageQueue queue;
  queue.Push("short");
  queue.Push(std::string(100000, 'x'));
  const std::string cut = queue.Take();
  EXPECT_EQ(cut.size(), MessageQueue::kMaxBytes - 1);
  EXPECT_EQ(cut, std::string(cut.size() - 10, 'x') + " ... (cut)");
  queue.Push(std::string(MessageQueue::kMaxBytes - 1, 'y'));
  EXPECT_EQ(queue.Take(), std::string(MessageQueue::kMaxBytes - 1, 'y'));
}

TEST(MessageQueue, EmptyMessagesAreLinesToo) {
  MessageQueue queue;
  queue.Push("a");
  queue.Push("");
  queue.Push("b");
  EXPECT_STREQ(queue.Take(), "a\n\nb");
}

}  // namespace
}  // namespace belay::runtime
