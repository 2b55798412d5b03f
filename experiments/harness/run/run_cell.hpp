// SPDX-License-Identifier: BSD-3-Clause
// Runs one cell: resolved spec (docs/declarations.md) -> scene -> simulation -> schedule -> probes -> trace.
// Processes, locks and time limits are the supervisor's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/harness/trace/trace_writer.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

struct CellOutcome {
  CellStatus status = CellStatus::Failed;
  std::string reason;          ///< empty when completed
  std::int64_t steps = 0;      ///< sum over members
  double median_step_s = 0.0;  ///< wall clock of a step, method only; 0 without steps
};

/// Runs the cell and writes `trace_path` (through its `.part`). A run that diverges, is unsupported, or does not
/// become static still gives a finished trace, with its rows so far and the reason. Throws InputError before a file
/// is created if the spec is wrong (unknown scene, method, parameter, channel, pose field, reference; no channel that
/// the method supports), and TraceLocked if the `.part` exists. `before_end` is called after the run, before the
/// trace is renamed: if it throws, a stale `.part` remains.
CellOutcome run_cell(
    const nlohmann::json& resolved_spec, const nlohmann::json& provenance, const Registry& registry,
    const SceneRegistry& scenes, const std::filesystem::path& trace_path,
    const std::function<void()>& before_end = [] {});

}  // namespace deformbench::harness
