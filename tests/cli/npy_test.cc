#include "npy.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/npy_file.h"

namespace belay::cli {
namespace {

using test::NpyFile;

NpyHead Parsed(const std::string& file) {
  const StatusOr<NpyHead> head = ParseNpyHead(file);
  EXPECT_TRUE(head) << head.error().message();
  return head ? *head : NpyHead();
}

std::string Dictionary(const std::string& shape) {
  return "{'descr': '<u8', 'fortran_order': False, 'shape': " + shape + ", }";
}

using Shape = std::vector<std::uint64_t>;

TEST(Npy, ReadsShapes) {
  const std::pair<std::string, Shape> cases[] = {
      {"()", {}},           {"(3,)", {3}},      {"(3, 2)", {3, 2}},       {"( 3 ,2 ,)", {3, 2}},
      {"(3L, 2L)", {3, 2}}, {"(0, 5)", {0, 5}}, {"(1, 1, 7)", {1, 1, 7}},
  };
  for (const auto& [text, shape] : cases) {
    const std::string file = NpyFile(Dictionary(text), 1);
    const NpyHead head = Parsed(file);
    std::uint64_t count = 1;
    for (const std::uint64_t dimension : shape) count *= dimension;
    EXPECT_EQ(head.shape, shape) << text;
    EXPECT_EQ(head.count, count) << text;
    EXPECT_EQ(head.data_offset, file.size()) << text;
    EXPECT_FALSE(head.fortran_order) << text;
  }
}

TEST(Npy, ReadsEveryVersionOrderAndSpelling) {
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(Parsed(NpyFile(Dictionary("(4,)"), version)).count, 4U) << version;
  }
  const std::string spellings[] = {
      "{'descr': '<i8', 'fortran_order': True, 'shape': (2, 3)}",
      "{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"<i8\"}",
      " { 'fortran_order' : True , 'shape' : ( 2 , 3 ) , 'descr' : '<u8' } ",
  };
  for (const std::string& spelling : spellings) {
    const NpyHead head = Parsed(NpyFile(spelling, 1));
    EXPECT_TRUE(head.fortran_order) << spelling;
    EXPECT_EQ(head.shape, (Shape{2, 3})) << spelling;
  }
}

TEST(Npy, AnEmptyArrayMayHaveHugeDimensions) {
  EXPECT_EQ(Parsed(NpyFile(Dictionary("(18446744073709551615, 0, 4)"), 1)).count, 0U);
  EXPECT_EQ(Parsed(NpyFile(Dictionary("(2305843009213693951,)"), 1)).count, 2305843009213693951U);
}

TEST(Npy, NeedsTheHeadAlone) {
  const std::string file = NpyFile(Dictionary("(4,)"), 1);
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(ParseNpyHead(file.substr(0, size))) << size;
  }
  EXPECT_EQ(Parsed(file + "more").data_offset, file.size());
}

TEST(Npy, SaysWhatIsWrong) {
  std::string huge = NpyFile(Dictionary("(1,)"), 2);
  huge[11] = '\x7F';
  std::string many = "(1";
  for (int i = 0; i < 64; ++i) many += ",1";
  many += ")";
  const std::pair<std::string, std::string> cases[] = {
      {"", "no .npy mark"},
      {"PK\x03\x04", "no .npy mark"},
      {"\x93NUMPY", "ends before its version"},
      {std::string("\x93NUMPY\x04\x00", 8), "the version is 4.0; allowed 1.0, 2.0 and 3.0"},
      {std::string("\x93NUMPY\x01\x01", 8), "the version is 1.1"},
      {std::string("\x93NUMPY\x02\x00\x01\x00", 10), "ends before the length of its head"},
      {huge, "bytes; allowed 65536"},
      {NpyFile(Dictionary("(1,)"), 1).substr(0, 90), "the file ends after 90 of 128 bytes"},
      {NpyFile("", 1), "the head ends where allowed is {"},
      {NpyFile("[1]", 1), "the head has \"[1] "},
      {NpyFile("{'descr': '<u8'", 1), "ends where allowed is , or }"},
      {NpyFile("{'descr': '<u8", 1), "descr is '<u8"},
      {NpyFile("{descr: '<u8'}", 1), "a key in quotes"},
      {NpyFile("{'descr' '<u8'}", 1), "where allowed is :"},
      {NpyFile("{'descr': '<u8'}", 1), "the head has no 'fortran_order'"},
      {NpyFile("{'shape': (1,), 'fortran_order': True}", 1), "the head has no 'descr'"},
      {NpyFile("{'descr': '<u8', 'fortran_order': True}", 1), "the head has no 'shape'"},
      {NpyFile("{'descr': '<u8', 'descr': '<u8'}", 1), "'descr' twice"},
      {NpyFile("{'color\x01': '<u8'}", 1), "the key 'color?'"},
      {NpyFile("{'descr': '>u8'}", 1), "descr is '>u8'; allowed '<u8' and '<i8'"},
      {NpyFile("{'descr': '<f4'}", 1), "descr is '<f4'"},
      {NpyFile("{'descr': [('a', '<u8')]}", 1), "descr is [('a'"},
      {NpyFile("{'fortran_order': 0}", 1), "True or False"},
      {NpyFile(Dictionary("3"), 1), "( of the shape"},
      {NpyFile(Dictionary("(3)"), 1), ", of the shape"},
      {NpyFile(Dictionary("(3 2)"), 1), ", of the shape"},
      {NpyFile(Dictionary("(-1,)"), 1), "a dimension of 0 or above"},
      {NpyFile(Dictionary("(,)"), 1), "a dimension of 0 or above"},
      {NpyFile("{'shape': (1", 1), "the head ends where allowed is , of the shape"},
      {NpyFile(Dictionary("(18446744073709551616,)"), 1), "beyond 64 bits"},
      {NpyFile(Dictionary("(2305843009213693952,)"), 1), "more elements"},
      {NpyFile(Dictionary("(4294967296, 4294967296)"), 1), "more elements"},
      {NpyFile(Dictionary(many), 1), "more than 64 dimensions"},
      {NpyFile(Dictionary("(1,)") + " junk", 1), "nothing after }"},
  };
  for (const auto& [file, message] : cases) {
    const StatusOr<NpyHead> head = ParseNpyHead(file);
    ASSERT_FALSE(head) << message;
    EXPECT_EQ(head.error().fault(), Fault::kInvalidFile);
    EXPECT_NE(head.error().message().find(message), std::string::npos)
        << head.error().message() << "\nexpected " << message;
  }
}

}  // namespace
}  // namespace belay::cli
