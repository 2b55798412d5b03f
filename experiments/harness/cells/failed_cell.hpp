// SPDX-License-Identifier: BSD-3-Clause
// Trace of a cell whose process did not finish it.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/harness/cells/declaration.hpp"

namespace deformbench::harness {

/// How long to wait for a cell's child processes to end.
inline constexpr double kPatienceSeconds = 2.0;

/// Writes a valid trace `file` with `status`, a reason, and the rows that the dead process had flushed. Never
/// replaces a trace that another run of the same sources has completed, even with --force. Returns the reason, with
/// any message from the `.part` file (such as a write error). If nothing can be written (disk full), the `.part`
/// stays unchanged and the reason says so. `processor_seconds`: CPU time of the dead process.
std::string record_failed_cell(const std::filesystem::path& file, const Cell& cell, const std::string& status,
                               const std::string& reason, double processor_seconds);

/// Provenance of a cell that this process ran: its id, method and harness fingerprints.
nlohmann::json cell_provenance(const nlohmann::json& resolved_spec, const std::string& id);

}  // namespace deformbench::harness
