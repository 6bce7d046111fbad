#include "base/thrown.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

namespace belay {
namespace {

template <class Thrown>
std::string TextOf(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return ThrownText();
  }
}

TEST(ThrownText, QuotesWhatTheExceptionSays) {
  EXPECT_EQ(TextOf(std::runtime_error("no room")), "an exception that says \"no room\"");
  EXPECT_EQ(TextOf(std::bad_alloc()), "an exception that says \"std::bad_alloc\"");
  EXPECT_EQ(TextOf(std::logic_error("")), "an exception that says \"\"");
}

struct Silent : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return nullptr; }
};

TEST(ThrownText, NamesWhatSaysNothing) {
  EXPECT_EQ(TextOf(Silent()), "an exception that says nothing");
  EXPECT_EQ(TextOf(1), "an exception that is no std::exception");
  EXPECT_EQ(TextOf("text"), "an exception that is no std::exception");
}

TEST(ThrownText, StaysOnOneShortLine) {
  EXPECT_EQ(TextOf(std::runtime_error("one\ntwo\x01\x7F")), "an exception that says \"one two  \"");
  const std::string text = TextOf(std::runtime_error(std::string(513, 'x')));
  EXPECT_EQ(text, "an exception that says \"" + std::string(512, 'x') + "...\"");
  EXPECT_EQ(TextOf(std::runtime_error(std::string(512, 'x'))),
            "an exception that says \"" + std::string(512, 'x') + "\"");
}

TEST(ThrownText, LeavesTheExceptionInFlight) {
  EXPECT_THROW(
      {
        try {
          throw std::runtime_error("again");
        } catch (...) {
          (void)ThrownText();
          throw;
        }
      },
      std::runtime_error);
}

}  // namespace
}  // namespace belay
