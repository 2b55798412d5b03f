// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::meshless {

/// meshless [PKAGDG05]: elasticity on nodes.
void register_meshless(Registry& registry);

}  // namespace deformbench::meshless
