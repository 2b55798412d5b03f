// SPDX-License-Identifier: BSD-3-Clause
// The files of a results folder: <out>/<experiment>/<cell>.h5, what is in them, and which of them a tier wants.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/trace/validate.hpp"

namespace deformbench::harness {

/// results/<machine>, below the current folder.
std::filesystem::path default_results_folder();

/// <out>/<experiment>/<id>.h5, or .timing.h5.
std::filesystem::path trace_path(const std::filesystem::path& out, const Cell& cell);
std::filesystem::path timing_path(const std::filesystem::path& out, const Cell& cell);

/// Of the folders that the traces of the cells are in (part_file.hpp).
void remove_litter_beside(const std::vector<Cell>& cells, const std::filesystem::path& out);

/// Status of a file that does not count as the cell's: as if it were not there, `run` makes it again.
inline constexpr const char* kDamaged = "damaged";                ///< no readable trace, or not as its digest says
inline constexpr const char* kOfAnotherCell = "of another cell";  ///< another spec or experiment than its name says
inline constexpr const char* kStale = "stale";                    ///< made by other sources of the method or harness

/// The end of a finished file.
struct FinishedFile {
  std::string status, reason;
  bool counts() const { return status != kDamaged && status != kOfAnotherCell && status != kStale; }
};

/// Nothing when there is no file. Reads it whole to compare its digest: a trace counts by what it holds, not by its
/// name.
std::optional<FinishedFile> read_finished(const std::filesystem::path& file, const Cell& cell);

/// What contradicts the name of a conforming trace: one that is named after a cell must be of that cell, and a spec of
/// this build must have the id that the trace states. Nothing where a foreign program named it otherwise.
std::optional<Finding> contradiction_of_name(const std::filesystem::path& file);

/// Writes <out>/<experiment>/<tier>.cells.json: which cells the declaration has at this tier, in order, so that
/// readers neither guess from file names nor overlook what is missing, and what the declaration said, so that they
/// notice when it has changed since.
void write_cell_list(const std::filesystem::path& out, const Declaration& declaration, const std::string& tier,
                     const std::vector<Cell>& cells);

/// In the names of the lists of joined cells.
inline constexpr const char* kJoined = ".joined-";

/// Writes <out>/<experiment>/<tier>.joined-<hash>.cells.json, a list for each method among the cells of a run with
/// --method, --program or --set: cells that the declaration alone does not give. Comparisons read them; verdicts must
/// not, so that they stand apart from the list of the declared cells. The hash is of the method's name and of what was
/// set: running the same again replaces the list, and no other run touches it.
void write_joined_lists(const std::filesystem::path& out, const Declaration& declaration, const Selection& selection,
                        const std::vector<Cell>& cells);

}  // namespace deformbench::harness
