// SPDX-License-Identifier: BSD-3-Clause
// The parameters of how cloth moves, beside those of its forces: limits, plasticity, schemes, contact. [B05] §6-9, §16
#pragma once

#include "methods/cloth/elements/plastic_springs.hpp"
#include "methods/cloth/strain_limiting/strain_limits.hpp"
#include "methods/parameters.hpp"

namespace deformbench::cloth {

struct MotionOptions {
  PlasticLaw plasticity;             ///< of all springs
  StrainLimitOptions strain_limits;  ///< of all springs
};

ParameterSpec motion_parameters();
MotionOptions motion_options(const Parameters& parameters);

}  // namespace deformbench::cloth
