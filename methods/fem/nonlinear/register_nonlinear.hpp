// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::nonlinear {

/// Adds explicit_fem, implicit_fem and invertible_fem.
void register_nonlinear(Registry& registry);

}  // namespace deformbench::nonlinear
