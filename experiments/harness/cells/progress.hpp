// SPDX-License-Identifier: BSD-3-Clause
// Progress on stderr: a bar on a terminal, elsewhere a line per newly run cell.
#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <string>

namespace deformbench::harness {

/// Cost of a cell; 0: unknown.
struct Effort {
  long long steps = 0;       ///< sum over members
  double seconds = 0.0;      ///< wall clock of the cell's process
  double ms_per_step = 0.0;  ///< median step time, without probes, files and start-up
};

/// ", 300 steps in 1.4 s, 0.102 ms/step", as far as known.
std::string effort_text(const Effort& effort);

class Progress {
 public:
  enum class Style { Automatic, Quiet };
  Progress(std::size_t total, Style style);
  ~Progress();  ///< clears the bar

  /// One more cell is done. `counts`: whether it was run now.
  void done(const std::string& label, const std::string& ended, const Effort& effort, bool counts = true);
  /// Progress within unfinished cells, in units of cells. At most one line per 10 s.
  void partly(const std::string& label, double finished);
  /// One more cell is done, with bad input. Printed once per `reason`.
  void bad_input(const std::string& label, const std::string& reason);
  /// A permanent line above the bar.
  void note(const std::string& line);

 private:
  void show(const std::string& text, bool is_due);
  void draw();
  std::string time_left() const;  ///< ", 7 s left", or nothing

  std::size_t total_, done_ = 0, ran_ = 0;
  bool quiet_, terminal_;
  std::chrono::steady_clock::time_point start_, said_;
  double partly_ = 0.0;
  std::string last_;
  std::set<std::string> bad_input_;  ///< reasons so far
};

/// "7 s", "2 min 05 s", "1 h 10 min"
std::string duration_text(double seconds);

}  // namespace deformbench::harness
