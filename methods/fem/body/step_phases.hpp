// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "methods/phase_clock.hpp"

namespace deformbench::fem {

struct StepPhases {
  enum Phase { Rotation, Assembly, Solve, Fracture, Other };
  inline static const std::array<std::string, 5> kNames{"rotation", "assembly", "solve", "fracture", "other"};
};
using PhaseClock = deformbench::PhaseClock<StepPhases>;

}  // namespace deformbench::fem
