// SPDX-License-Identifier: BSD-3-Clause
// Runs cells, each in a child process with a time limit: a crash or a hang is one cell's fate. What is finished is
// kept, what another process has in work is left to it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/limit_clock.hpp"
#include "experiments/harness/cells/progress.hpp"

namespace deformbench::harness {

/// First argument of the hidden commands by which the supervisor calls its own executable.
inline constexpr const char* kRunChildCommand = "__run-cell";
inline constexpr const char* kTimeChildCommand = "__time-cell";

/// Status that a child reports in place of an end: CodeChanged (fingerprint.hpp).
inline constexpr const char* kCodeChanged = "code changed";

struct RunOptions {
  std::filesystem::path out;
  int jobs = 1;               ///< cells at the same time
  bool force = false;         ///< run what is finished, too
  bool retry_failed = false;  ///< run again what ended failed, timeout, or otherwise than declared
  bool quiet = false;         ///< no progress
  double time_limit_s = 0.0;  ///< of wall clock for each cell; 0: as declared
  /// More options of the hidden commands, by the id of the cell's method: what brings it along.
  std::map<std::string, std::vector<std::string>> child_arguments = {};
};

/// The words of a hidden command for this cell, `words` first.
std::vector<std::string> child_words(std::vector<std::string> words, const Cell& cell, const RunOptions& options);

enum class CellAction {
  Ran,
  Kept,        ///< finished before
  InProgress,  ///< another process has it, and has not finished it in the end
  BadInput,    ///< the spec cannot be run; nothing was written
};

struct CellResult {
  CellAction action = CellAction::Ran;
  std::string status;  ///< as in the trace; empty while in progress
  std::string reason;
  bool as_expected = false;
  bool is_built = true;  ///< false: nothing ran, as this build has not the method
  Effort effort = {};    ///< what the run itself measured
};

struct RunSummary {
  std::vector<CellResult> results;  ///< one per cell, in the order given
  /// 0, 2 (bad input), 4 (ended otherwise than declared, or left to another process and not there yet), 5 (no cell, or
  /// every one unsupported, by a method that is not built or not expected so)
  int exit_code() const;
};

/// Runs (or keeps) every cell and writes its trace below `options.out`.
RunSummary run_cells(const std::vector<Cell>& cells, const RunOptions& options);

/// The timing pass: every repeat of every cell alone in a process, methods of a sweep point interleaved at random
/// (seeded), raw samples into <cell>.timing.h5.
RunSummary time_cells(const std::vector<Cell>& cells, const RunOptions& options);

/// How long a process of the cell may take.
TimeLimit time_limit(const Cell& cell, const RunOptions& options);

/// Whether an end agrees with the cell's "expect".
bool ended_as_expected(const Cell& cell, const std::string& status);

/// One line per group of ends ("12 completed, 3 kept, 1 diverged as declared"), and one for each unexpected end; what
/// is wrong with the input of several cells is said once.
std::string summary_text(const std::vector<Cell>& cells, const RunSummary& summary);

}  // namespace deformbench::harness
