// `belay decode` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/npy_file.h"
#include "support/child_process.h"

namespace belay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Words = std::vector<std::uint64_t>;

constexpr std::chrono::seconds kPatience{60};

ChildResult Decode(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {BELAY_PROGRAM, "decode"});
  ChildResult result = RunChild(arguments, {}, kPatience);
  EXPECT_FALSE(result.timed_out);
  return result;
}

void ExpectDecoded(const std::vector<std::string>& arguments, int status,
                   const testing::Matcher<const std::string&>& output) {
  const ChildResult result = Decode(arguments);
  EXPECT_EQ(result.status, status) << result.output;
  EXPECT_THAT(result.output, output);
}

std::string BytesOf(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)};
}

// Files of a test, gone with it.
class DecodeFiles : public testing::Test {
 protected:
  DecodeFiles() { std::filesystem::create_directories(folder_); }
  ~DecodeFiles() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string WriteNpy(const std::string& shape, const std::string& data,
                       const std::string& order = "False", const std::string& descr = "<u8") {
    return Write("words.npy", NpyFile("{'descr': '" + descr + "', 'fortran_order': " + order +
                                          ", 'shape': " + shape + ", }",
                                      1) +
                                  data);
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("belay_decode_" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST(Decode, PackedWords) {
  ExpectDecoded({"0x0000406040000000", "70368744177664", "0x00007FA03F8CC000"}, 0,
                "[0] 0x0000406040000000  scale 2  offset 3\n"
                "[1] 0x0000400000000000  scale 0  offset 0\n"
                "[2] 0x00007fa03f8cc000  scale 1.0996094  offset -3\n"
                "\n"
                "packed19   fits\n"
                "packed32   fits\n"
                "floatbits  does not fit: 3 of 3 malformed, first [0]\n"
                "           bits 32-63 are not zero: 3, first [0]\n"
                "verdict: packed, scales of 19 bits: aclnnTransQuantParam as documented, V2 or V3; "
                "as released\n"
                "         too, if its scales needed no more.\n");
}

TEST(Decode, ScalesOf32Bits) {
  ExpectDecoded({"0x000040003F8CCCCD"}, 0,
                AllOf(HasSubstr("scale 1.1  offset 0  the hardware reads 1.0996094\n"),
                      HasSubstr("packed19   does not fit: 1 of 1 malformed, first [0]\n"
                                "           low 13 bits of the scale are not zero: 1, first [0]\n"
                                "packed32   fits\n"),
                      HasSubstr("verdict: packed, scales of 32 bits")));
}

TEST(Decode, FloatBits) {
  ExpectDecoded({"1066192077", "0xBF800000", "5"}, 0,
                AllOf(StartsWith("[0] 0x000000003f8ccccd  scale 1.1\n"
                                 "[1] 0x00000000bf800000  scale -1\n"
                                 "[2] 0x0000000000000005  scale 7e-45  a subnormal scale\n"),
                      HasSubstr("a scale without bit 46: 3, first [0]"),
                      HasSubstr("floatbits  fits\nverdict: float32 bits alone")));
}

TEST(Decode, AllZeroCouldBeAnything) {
  ExpectDecoded({"0", "0x0"}, 0,
                AllOf(HasSubstr("[1] 0x0000000000000000  scale 0  offset 0  padding, or no scale"),
                      HasSubstr("packed19   fits\npacked32   fits\nfloatbits  fits\n"
                                "verdict: all words are zero: any layout, or padding.\n")));
}

TEST(Decode, WordsBeyondTheScales) {
  ExpectDecoded({"0x00004000c0000000", "0x00003fe000000000", "0"}, 0,
                AllOf(HasSubstr("[1] 0x00003fe000000000  scale 0  offset -1  an offset without a "
                                "scale\n[2] 0x0000000000000000  scale 0  offset 0  padding"),
                      HasSubstr("2 without bit 46, first [1]: only aclnnTransQuantParam writes"),
                      Not(HasSubstr("not the result of one call"))));
  ExpectDecoded({"0x00004000c0000000", "0", "0x00004000c0000000"}, 0,
                HasSubstr("[2] has bit 46 after them: not the result of one call."));
  ExpectDecoded({"0x00003fe000000000"}, 0, HasSubstr("No word has bit 46: not a whole result"));
}

TEST(Decode, MalformedWords) {
  ExpectDecoded({"0x00004000C0000000", "-1", "0x00004001C0000000", "0x000040007F800000"}, 1,
                AllOf(HasSubstr("[1] 0xffffffffffffffff  scale nan  offset -1  bits 32-36 are not "
                                "zero; bits 47-63 are not zero; low 13 bits of the scale are not "
                                "zero; the scale is NaN or infinity\n"),
                      HasSubstr("[3] 0x000040007f800000  scale inf  offset 0  the scale is NaN or "
                                "infinity\n"),
                      HasSubstr("packed19   does not fit: 3 of 4 malformed, first [1]\n"
                                "           bits 32-36 are not zero: 2, first [1]\n"
                                "           bits 47-63 are not zero: 1, first [1]\n"
                                "           low 13 bits of the scale are not zero: 1, first [1]\n"
                                "           the scale is NaN or infinity: 2, first [1]\n"
                                "packed32   does not fit: 3 of 4 malformed, first [1]\n"),
                      HasSubstr("verdict: no layout fits all words.\n")));
}

TEST(Decode, ALayoutThatIsAskedFor) {
  ExpectDecoded({"--layout", "floatbits", "0x3F800000"}, 0,
                "[0] 0x000000003f800000  scale 1\n\nfloatbits  fits\n");
  ExpectDecoded({"0x3F800000", "--layout=packed32"}, 1,
                "[0] 0x000000003f800000  scale 1  offset 0  a scale without bit 46\n\n"
                "packed32   does not fit: 1 of 1 malformed, first [0]\n"
                "           a scale without bit 46: 1, first [0]\n");
  const ChildResult wrong = Decode({"--layout", "packed20", "0"});
  EXPECT_NE(wrong.status, 0);
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("--layout"), HasSubstr("packed19")));
}

TEST(Decode, Limit) {
  ExpectDecoded({"--limit", "1", "0", "1", "2"}, 0,
                AllOf(StartsWith("[0] 0x0000000000000000  scale 0\n... and 2 more\n\n"),
                      HasSubstr("floatbits  fits")));
  ExpectDecoded({"--limit", "0", "0"}, 0, StartsWith("... and 1 more\n\n"));
  ExpectDecoded({"--limit", "010", "0", "0"}, 0, StartsWith("[0] 0x0000000000000000"));
  ExpectDecoded({"--limit", "18446744073709551615", "0"}, 0, StartsWith("[0] 0x0000000000000000"));
  for (const std::string text :
       {"-1", "18446744073709551616", "99999999999999999999", "1.5", "1e3", "0x10", "ten", " 1"}) {
    ExpectDecoded({"--limit", text, "0"}, 2,
                  StartsWith("--limit: '" + text +
                             "' is no number of words; allowed 0 to 18446744073709551615, in "
                             "decimal\n"));
  }
}

TEST(Decode, ABitThatNoLayoutHas) {
  for (const std::string text : {"0x8000000000000000", "-9223372036854775808"}) {
    ExpectDecoded({text}, 1,
                  AllOf(StartsWith("[0] 0x8000000000000000  scale 0  offset 0  bits 47-63 are not "
                                   "zero\n\n"),
                        HasSubstr("floatbits  does not fit: 1 of 1 malformed, first [0]\n"
                                  "           bits 32-63 are not zero: 1, first [0]\n"),
                        HasSubstr("verdict: no layout fits all words.\n")));
  }
  ExpectDecoded({"0x8000002000000000"}, 1,
                StartsWith("[0] 0x8000002000000000  scale 0  offset 1  bits 47-63 are not zero; an "
                           "offset without a scale\n"));
}

TEST(Decode, WhatIsNoWord) {
  for (const std::string text : {"0x", "0xZ", "0x10000000000000000", "18446744073709551616",
                                 "-9223372036854775809", "1.5", "words", ""}) {
    ExpectDecoded({text}, 2, HasSubstr("is neither a word nor a file's name; allowed"));
    ExpectDecoded({"0", text}, 2, HasSubstr("'" + text + "' is no word; allowed several words"));
  }
  ExpectDecoded({"-9223372036854775808", "18446744073709551615"}, 1,
                AllOf(HasSubstr("[0] 0x8000000000000000"), HasSubstr("[1] 0xffffffffffffffff")));
}

TEST_F(DecodeFiles, BinaryFile) {
  ExpectDecoded({Write("words.bin", BytesOf({0x0000400040000000, 0}))}, 0,
                StartsWith("[0] 0x0000400040000000  scale 2  offset 0\n[1] 0x0000000000000000"));
  ExpectDecoded({Write("words.bin", "")}, 0, HasSubstr("verdict: no words"));
}

TEST_F(DecodeFiles, ALongFileIsReadToItsEnd) {
  Words words(20000, 0x0000400040000000);
  words.back() = 0x0000400040000001;
  ExpectDecoded(
      {Write("words.bin", BytesOf(words)), "--layout", "packed19"}, 1,
      AllOf(HasSubstr("[63] 0x0000400040000000"), Not(HasSubstr("[64] 0x")),
            HasSubstr("... and 19936 more\n"), HasSubstr("1 of 20000 malformed, first [19999]")));
  const ChildResult all = Decode({Write("words.bin", BytesOf(words)), "--limit", "30000"});
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.output, HasSubstr("[19999] 0x0000400040000001  scale 2.0000002  offset 0  the "
                                    "hardware reads 2\n\n"));
}

TEST_F(DecodeFiles, NumpyFile) {
  const std::string six = BytesOf({0, 1, 2, 3, 4, 5});
  ExpectDecoded({WriteNpy("(6,)", six)}, 0, HasSubstr("[5] 0x0000000000000005"));
  ExpectDecoded(
      {WriteNpy("(2, 3)", six)}, 0,
      AllOf(HasSubstr("[0, 1] 0x0000000000000001"), HasSubstr("[1, 0] 0x0000000000000003"),
            HasSubstr("packed19   does not fit: 5 of 6 malformed, first [0, 1]")));
  ExpectDecoded({WriteNpy("(2, 3)", six, "True", "<i8")}, 0,
                AllOf(HasSubstr("[1, 0] 0x0000000000000001"),
                      HasSubstr("[0, 1] 0x0000000000000002"), HasSubstr("first [1, 0]")));
  ExpectDecoded({WriteNpy("()", BytesOf({0x3F800000}))}, 0, HasSubstr("[0] 0x000000003f800000"));
  ExpectDecoded({WriteNpy("(4, 0)", "")}, 0, HasSubstr("no words"));
  ExpectDecoded({WriteNpy("(1,)", BytesOf({~std::uint64_t{0}}), "False", "<i8")}, 1,
                HasSubstr("[0] 0xffffffffffffffff"));
}

TEST_F(DecodeFiles, BadFiles) {
  const std::string eight(8, '\0');
  const std::pair<std::string, std::string> cases[] = {
      {folder_ / "none.bin", "cannot be read: No such file"},
      {folder_ / "none.npy", "cannot be read: No such file"},
      {Write("seven.bin", "1234567"), "has 7 bytes; allowed whole words of 8"},
      {Write("words.txt", eight), "is neither a word nor a file's name"},
      {Write("empty.npy", ""), "no .npy mark"},
      {Write("plain.npy", eight), "no .npy mark"},
      {WriteNpy("(2,)", eight), "the shape (2) needs 16 bytes, the file has 8 after its head"},
  };
  for (const auto& [path, message] : cases) {
    ExpectDecoded({path}, 2, AllOf(StartsWith("belay: " + path), HasSubstr(message)));
  }
  ExpectDecoded({WriteNpy("(1,)", eight + eight)}, 2, HasSubstr("the file has 16 after its head"));
  ExpectDecoded({WriteNpy("(1,)", eight, "False", "<f8")}, 2, HasSubstr("descr is '<f8'"));
  ExpectDecoded({WriteNpy("(2305843009213693951,)", eight)}, 2,
                HasSubstr("needs 18446744073709551"));
  const std::string folder = folder_ / "folder.bin";
  std::filesystem::create_directory(folder);
  ExpectDecoded({folder}, 2, HasSubstr("is no file with contents"));
  ExpectDecoded({Write("a.bin", eight), Write("b.bin", eight)}, 2, HasSubstr("a.bin' is no word"));
}

}  // namespace
}  // namespace belay::test
