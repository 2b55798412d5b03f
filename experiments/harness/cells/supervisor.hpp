// SPDX-License-Identifier: BSD-3-Clause
// Runs cells, each in a child process with a time limit, so that a crash or hang affects one cell. Finished cells are
// kept; cells in progress in another process are left to it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/limit_clock.hpp"
#include "experiments/harness/cells/progress.hpp"

namespace deformbench::harness {

/// First argument of the hidden commands that the supervisor starts with its own executable.
inline constexpr const char* kRunChildCommand = "__run-cell";
inline constexpr const char* kTimeChildCommand = "__time-cell";

/// Status that a child reports on CodeChanged (fingerprint.hpp).
inline constexpr const char* kCodeChanged = "code changed";

struct RunOptions {
  std::filesystem::path out;
  int jobs = 1;               ///< concurrent cells
  bool force = false;         ///< rerun finished cells
  bool retry_failed = false;  ///< rerun cells that ended failed, timeout, or not as declared
  bool quiet = false;         ///< no progress
  double time_limit_s = 0.0;  ///< wall clock per cell; 0: as declared
  /// Options that load an external method in the hidden commands, by its id.
  std::map<std::string, std::vector<std::string>> child_arguments = {};
};

/// Arguments of a hidden command for this cell, beginning with `words`.
std::vector<std::string> child_words(std::vector<std::string> words, const Cell& cell, const RunOptions& options);

enum class CellAction {
  Ran,
  Kept,        ///< finished before
  InProgress,  ///< left to another process, not finished at the end
  BadInput,    ///< the spec cannot be run; nothing was written
};

struct CellResult {
  CellAction action = CellAction::Ran;
  std::string status;  ///< as in the trace; empty while in progress
  std::string reason;
  bool as_expected = false;
  bool is_built = true;  ///< false: not run, this build lacks the method
  Effort effort = {};    ///< measured by the run
};

struct RunSummary {
  std::vector<CellResult> results;  ///< one per cell, in the order given
  /// 0, 2 (bad input), 4 (ended not as declared, or unfinished in another process), 5 (no cell, or all unsupported:
  /// not built, or unexpectedly)
  int exit_code() const;
};

/// Runs (or keeps) every cell and writes its trace below `options.out`.
RunSummary run_cells(const std::vector<Cell>& cells, const RunOptions& options);

/// The timing pass: each repeat of each cell in its own process, methods of a sweep point interleaved at random
/// (seeded), raw samples in <cell>.timing.h5.
RunSummary time_cells(const std::vector<Cell>& cells, const RunOptions& options);

/// Time limit of one process of the cell.
TimeLimit time_limit(const Cell& cell, const RunOptions& options);

/// Whether the status agrees with the cell's "expect".
bool ended_as_expected(const Cell& cell, const std::string& status);

/// One line of counts ("13 cells: 12 completed, 1 diverged as declared"), then one per unexpected end,
/// input error and missing method.
std::string summary_text(const std::vector<Cell>& cells, const RunSummary& summary);

}  // namespace deformbench::harness
