// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::fem {

/// Adds the methods of this folder.
void register_fem(Registry& registry);

}  // namespace deformbench::fem
