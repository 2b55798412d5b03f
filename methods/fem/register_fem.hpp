// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::fem {

/// Adds linear_fem, warped_fem and vertex_warped_fem.
void register_fem(Registry& registry);

}  // namespace deformbench::fem
