// SPDX-License-Identifier: BSD-3-Clause
// Shared by the spring scenes: a value over time, linear between knots.
#pragma once

#include "experiments/scenes/scene_parameters.hpp"
#include "methods/model/boundary_condition.hpp"

namespace deformbench::scenes {

/// `own`, then programme_times_s and programme_values.
ParameterSpec programme_parameters(ParameterSpec own);
/// InputError if the lists are empty or differ in length, or times do not increase.
model::Ramp programme_of(const Parameters& parameters);
/// `spread` in [0, 1).
ParameterInfo spread_parameter(std::string doc);

}  // namespace deformbench::scenes
