// SPDX-License-Identifier: BSD-3-Clause
// What the supervisor writes for a cell whose process did not finish its file.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/harness/cells/declaration.hpp"

namespace deformbench::harness {

/// Wait for the end of what a cell's process had started.
inline constexpr double kPatienceSeconds = 2.0;

/// Leaves a conforming `<file>` with `status` and a reason: the rows that the dead process had flushed, or none.
/// A trace that another run of the same sources has completed meanwhile, or before a run with --force, is never
/// replaced. Returns the reason, completed by what the `.part` says (a write error, say). When even that cannot be
/// written (disk full), the `.part` stays as it is and the returned reason says so. `processor_seconds` is what the
/// dead process has used.
std::string record_failed_cell(const std::filesystem::path& file, const Cell& cell, const std::string& status,
                               const std::string& reason, double processor_seconds);

/// Provenance of a cell run or timed by this process, with its id and both fingerprints.
nlohmann::json cell_provenance(const nlohmann::json& resolved_spec, const std::string& id);

}  // namespace deformbench::harness
