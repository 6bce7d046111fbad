// Helpers for the tests of the binary interface: constant tables and layout checks.
#ifndef BELAY_TESTS_ABI_ABI_CHECK_H_
#define BELAY_TESTS_ABI_ABI_CHECK_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

// Client code may name deprecated entities; the tests do so on purpose.
#if defined(__GNUC__)
#define ABI_BEGIN_DEPRECATED \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define ABI_END_DEPRECATED _Pragma("GCC diagnostic pop")
#else
#define ABI_BEGIN_DEPRECATED
#define ABI_END_DEPRECATED
#endif

// One constant: what the header says, what it must be, and whether its type is right.
struct Value {
  const char* name;
  long long actual;    // NOLINT(runtime/int)
  long long expected;  // NOLINT(runtime/int)
  bool typeMatches;
};

template <typename Type, typename Actual, typename Expected>
constexpr Value MakeValue(const char* name, Actual actual, Expected expected) {
  return {name, static_cast<long long>(actual),  // NOLINT(runtime/int)
          static_cast<long long>(expected),      // NOLINT(runtime/int)
          std::is_same<Type, Actual>::value};
}

// NOLINTBEGIN(bugprone-macro-parentheses)

// A constant of a given type.
#define ABI_TYPED(type, name, value) MakeValue<type>(#name, name, value)

// A macro that must have the type and value of a literal.
#define ABI_LITERAL(name, literal) MakeValue<decltype(literal)>(#name, name, literal)

// An enumerator of a given enumeration.
#define ABI_ENUM(type, name, value) MakeValue<type>(#name, name, value)

// Size and alignment in bytes of a complete type.
#define ABI_SIZE(type, size, alignment)                    \
  static_assert(sizeof(type) == (size), "size of " #type); \
  static_assert(alignof(type) == (alignment), "alignment of " #type)

// Byte offset and type of a member; the type may be an array.
#define ABI_MEMBER(type, member, offset, memberType)                                  \
  static_assert(offsetof(type, member) == (offset), "offset of " #type "::" #member); \
  static_assert(std::is_same<decltype(type::member), memberType>::value,              \
                "type of " #type "::" #member)

// Byte offset and size of a member whose type has no name.
#define ABI_UNNAMED_MEMBER(type, member, offset, size)                                \
  static_assert(offsetof(type, member) == (offset), "offset of " #type "::" #member); \
  static_assert(sizeof(type::member) == (size), "size of " #type "::" #member)

// A type name and what it stands for.
#define ABI_ALIAS(name, ...) static_assert(std::is_same<name, __VA_ARGS__>::value, #name)

// A function and its pointer type.
#define ABI_FUNCTION(name, ...) \
  static_assert(std::is_same<decltype(&name), __VA_ARGS__>::value, #name)

// NOLINTEND(bugprone-macro-parentheses)

template <size_t N>
constexpr bool AllMatch(const Value (&values)[N]) {
  for (size_t i = 0; i < N; ++i) {
    if (values[i].actual != values[i].expected || !values[i].typeMatches) {
      return false;
    }
  }
  return true;
}

template <size_t N>
void ExpectAllMatch(const Value (&values)[N]) {
  for (const Value& value : values) {
    EXPECT_EQ(value.actual, value.expected) << value.name;
    EXPECT_TRUE(value.typeMatches) << value.name;
  }
}

#endif  // BELAY_TESTS_ABI_ABI_CHECK_H_
