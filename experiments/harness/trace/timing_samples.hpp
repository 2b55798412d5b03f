// SPDX-License-Identifier: BSD-3-Clause
// Raw wall times of one cell, as they go into <cell>.timing.h5.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/harness/trace/trace_writer.hpp"

namespace deformbench::harness {

/// Raw samples, row-major; every repeat has the same number of steps and starts from a fresh simulation.
struct TimingSamples {
  CellStatus status = CellStatus::Completed;  ///< completed | unsupported | diverged
  std::string reason;                         ///< why not completed
  std::size_t repeats = 0;
  std::size_t warmup_steps = 0;
  std::size_t steps = 0;                      ///< measured steps of a repeat
  std::vector<std::string> phase_names;       ///< empty when the method has no PhaseTimesFacet
  std::vector<double> create_seconds;         ///< [repeat]: MethodDescriptor::create (factorisations, patterns)
  std::vector<double> warmup_seconds;         ///< [repeat, warmup_steps]
  std::vector<double> step_seconds;           ///< [repeat, steps]
  std::vector<double> phase_seconds;          ///< [repeat, steps, phase]
  std::int64_t peak_rss_bytes = 0;            ///< VmHWM of this process after the last repeat
};

}  // namespace deformbench::harness
