// Measures a handful of functions with Google Benchmark, repetitions mixed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace belay::bench {

struct Entry {
  std::string name;
  std::function<void()> run;
  std::function<void()> settle;  // after each run, outside of the measured time; may be empty
  std::uint64_t calls = 1;       // in one run
  double known_ns = 0;           // of a run, if known: slow ones are run as seldom as possible
};

struct Effort {
  int repetitions = 9;
  double seconds = 0.02;     // at least, for each repetition
  int slow_repetitions = 3;  // of entries slower than half a second; 0: their known time will do
};
/// To be called first.
void StartMeasuring(const Effort& effort);

/// Nanoseconds of a call, one number for each repetition of each entry.
std::vector<std::vector<double>> Measure(const std::string& title,
                                         const std::vector<Entry>& entries);

double TimeOnce(const std::function<void()>& run);
double MedianOf(std::vector<double> values);

}  // namespace belay::bench
