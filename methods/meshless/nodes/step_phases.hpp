// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "methods/phase_clock.hpp"

namespace deformbench::meshless {

/// In the order of a step, [PKAGDG05] fig. 8; forces, flow and motion once per substep.
struct StepPhases {
  enum Phase { Weights, Reference, Resampling, StableStep, Motion, Flow, Forces, Fronts, Surfels };
  inline static const std::array<std::string, 9> kNames{"weights", "reference", "resampling", "stable_step", "motion",
                                                        "flow",    "forces",    "fronts",     "surfels"};
};
using PhaseClock = deformbench::PhaseClock<StepPhases>;

}  // namespace deformbench::meshless
