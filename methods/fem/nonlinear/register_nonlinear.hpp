// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::nonlinear {

/// Adds the methods of this folder.
void register_nonlinear(Registry& registry);

}  // namespace deformbench::nonlinear
