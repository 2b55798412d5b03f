// SPDX-License-Identifier: BSD-3-Clause
// <cell>.timing.h5: group /timing of docs/trace_format.md, written in one go.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "experiments/harness/trace/timing_samples.hpp"

namespace deformbench::harness {

/// Writes `path` through its `.part`. The protocol is the spec's `timing` section with the numbers that came of it.
/// Throws TraceLocked, TraceWriteError; std::invalid_argument if the samples' sizes disagree.
void write_timing(const std::filesystem::path& path, const nlohmann::json& resolved_spec,
                  const nlohmann::json& provenance, const TimingSamples& samples);

/// InputError if it is no timing file.
TimingSamples read_timing(const std::filesystem::path& path);

}  // namespace deformbench::harness
