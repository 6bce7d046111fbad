// Runs a fuzz target as an ordinary test: `driver <corpus folder> <number of random inputs>`. With
// files instead of a folder it runs those, to look at a finding.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

Bytes Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// What was committed, with bytes changed, cut and repeated, or noise.
Bytes Vary(const std::vector<Bytes>& corpus, std::mt19937& random) {
  Bytes bytes;
  if (!corpus.empty() && random() % 4 != 0) bytes = corpus[random() % corpus.size()];
  if (bytes.empty()) bytes.resize(random() % 300);
  for (auto changes = random() % 8; changes > 0 && !bytes.empty(); --changes) {
    bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
  }
  if (!bytes.empty() && random() % 4 == 0) bytes.resize(random() % bytes.size() + 1);
  if (!bytes.empty() && random() % 4 == 0) {
    const Bytes again(bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size()));
    bytes.insert(bytes.end(), again.begin(), again.end());
  }
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<fs::path> paths;
  long random_inputs = 0;
  for (int i = 1; i < count; ++i) {
    if (fs::is_directory(arguments[i])) {
      for (const auto& entry : fs::directory_iterator(arguments[i])) paths.push_back(entry.path());
    } else if (fs::exists(arguments[i])) {
      paths.emplace_back(arguments[i]);
    } else {
      random_inputs = std::strtol(arguments[i], nullptr, 10);
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> corpus;
  for (const fs::path& path : paths) {
    corpus.push_back(Read(path));
    LLVMFuzzerTestOneInput(corpus.back().data(), corpus.back().size());
  }
  std::mt19937 random(20240601);
  for (long i = 0; i < random_inputs; ++i) {
    const Bytes bytes = Vary(corpus, random);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu files and %ld random inputs\n", corpus.size(), random_inputs);
  return corpus.empty() && random_inputs == 0 ? 1 : 0;
}
