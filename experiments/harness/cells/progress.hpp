// SPDX-License-Identifier: BSD-3-Clause
// Progress on stderr: a bar on a terminal, a line per cell elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <string>

namespace deformbench::harness {

class Progress {
 public:
  enum class Style { Automatic, Quiet };
  Progress(std::size_t total, Style style);
  ~Progress();  ///< clears the bar

  /// One more is done. `ms_per_step` ≤ 0: not known. `counts` is false for what was already there.
  void done(const std::string& label, const std::string& ended, double ms_per_step, bool counts = true);
  /// One more is done: its input is bad. Cells with the same `reason` are named once.
  void bad_input(const std::string& label, const std::string& reason);
  /// A line that stays, above the bar.
  void note(const std::string& line);

 private:
  void draw();

  std::size_t total_, done_ = 0, ran_ = 0;
  bool quiet_, terminal_;
  std::chrono::steady_clock::time_point start_;
  std::string last_;
  std::set<std::string> bad_input_;  ///< reasons so far
};

/// "7 s", "2 min 05 s", "1 h 10 min"
std::string duration_text(double seconds);

}  // namespace deformbench::harness
