// SPDX-License-Identifier: BSD-3-Clause
// The files of a results folder: <out>/<experiment>/<cell>.h5, their state, and the cell lists of a tier.
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

/// remove_litter() (part_file.hpp) for the folders of the cells' traces.
void remove_litter_beside(const std::vector<Cell>& cells, const std::filesystem::path& out);

/// Status of a file that is ignored: `run` makes it again.
inline constexpr const char* kDamaged = "damaged";                ///< no readable trace, or its digest differs
inline constexpr const char* kOfAnotherCell = "of another cell";  ///< its spec or experiment contradicts its name
inline constexpr const char* kStale = "stale";                    ///< made by another version of method or harness

/// Status of a finished file.
struct FinishedFile {
  std::string status, reason;
  bool counts() const { return status != kDamaged && status != kOfAnotherCell && status != kStale; }
};

/// Nothing if there is no file. Reads the whole file to check its digest and identity.
std::optional<FinishedFile> read_finished(const std::filesystem::path& file, const Cell& cell);

/// Contradiction in a conforming trace: a name of 32 hexadecimal digits must be its `cell_id`, and so must the id of
/// its spec, if this version of the harness wrote it. Other names, as of foreign programs, are not checked.
std::optional<Finding> contradiction_of_name(const std::filesystem::path& file);

/// Writes <out>/<experiment>/<tier>.cells.json: the cells of the declaration at this tier in order, so that readers
/// notice missing ones, and the declaration itself, so that they notice later changes.
void write_cell_list(const std::filesystem::path& out, const Declaration& declaration, const std::string& tier,
                     const std::vector<Cell>& cells);

/// Infix of the names of joined cell lists.
inline constexpr const char* kJoined = ".joined-";

/// Writes <out>/<experiment>/<tier>.joined-<hash>.cells.json, one list per method of a run with --method, --program
/// or --set: cells beyond the declaration. Comparisons read these lists, verdicts must not, so they are separate
/// files. The hash covers the method's name and the --set values: only the same command replaces a list.
void write_joined_lists(const std::filesystem::path& out, const Declaration& declaration, const Selection& selection,
                        const std::vector<Cell>& cells);

}  // namespace deformbench::harness
