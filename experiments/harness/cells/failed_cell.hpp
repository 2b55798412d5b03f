// SPDX-License-Identifier: BSD-3-Clause
// The trace of a cell whose process did not finish its file.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/harness/cells/declaration.hpp"

namespace deformbench::harness {

/// Waiting time for descendants of a cell's process to end.
inline constexpr double kPatienceSeconds = 2.0;

/// Leaves a conforming `<file>` with `status`, a reason, and the rows that the dead process had flushed. Never
/// replaces a trace that another run of the same sources has completed, meanwhile or before a run with --force.
/// Returns the reason, extended by the message of the `.part` (a write error, say). If nothing can be written (disk
/// full), the `.part` stays unchanged and the reason says so. `processor_seconds` were used by the dead process.
std::string record_failed_cell(const std::filesystem::path& file, const Cell& cell, const std::string& status,
                               const std::string& reason, double processor_seconds);

/// Provenance of a cell run or timed by this process, with its id and both fingerprints.
nlohmann::json cell_provenance(const nlohmann::json& resolved_spec, const std::string& id);

}  // namespace deformbench::harness
