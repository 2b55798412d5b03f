// SPDX-License-Identifier: BSD-3-Clause
// Raw wall times of the steps of one cell: no probes, no files, warm-up separate. The caller runs it alone in a
// process and writes <cell>.timing.h5.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/harness/trace/trace_writer.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

/// Raw samples, row-major; every repeat has the same number of steps and starts from a fresh simulation.
struct TimingSamples {
  CellStatus status = CellStatus::Completed;  ///< any but running and timeout
  std::string reason;                         ///< if not completed
  std::size_t repeats = 0;
  std::size_t warmup_steps = 0;
  std::size_t steps = 0;                 ///< measured steps of a repeat
  std::vector<std::string> phase_names;  ///< empty if the method has no PhaseTimesFacet
  std::vector<double> create_seconds;    ///< [repeat]: MethodDescriptor::create (factorisations, patterns)
  std::vector<double> warmup_seconds;    ///< [repeat, warmup_steps]
  std::vector<double> step_seconds;      ///< [repeat, steps]
  std::vector<double> phase_seconds;     ///< [repeat, steps, phase]
  std::int64_t peak_rss_bytes = 0;       ///< VmHWM of this process after the last repeat
};

/// Times the cell by its spec's `timing` section: `repeats` (5), `warmup_steps` (20), and max(`min_steps` (20),
/// `min_seconds` (0.3) / median warm-up step of the first repeat) steps.
/// Throws InputError for a spec that cannot be run.
TimingSamples time_cell(const nlohmann::json& resolved_spec, const Registry& registry, const SceneRegistry& scenes);

}  // namespace deformbench::harness
