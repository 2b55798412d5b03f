// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"

namespace deformbench::harness {

/// Writes <cell>.timing.h5 (docs/trace_format.md, /timing) from the reports of the timing children, one JSON object
/// per repeat; without repeats only status and reason. `provenance` is from before the first repeat; `session` is
/// shared by cells with interleaved repeats. Returns the median step time in ms (0 without steps). Throws
/// TraceLocked, TraceWriteError.
double write_timing_file(const std::filesystem::path& file, const Cell& cell, const nlohmann::json& provenance,
                         const std::string& session, const std::string& status, const std::string& reason,
                         const std::vector<nlohmann::json>& repeats);

}  // namespace deformbench::harness
