// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::meshless {

/// Adds meshless [PKAGDG05].
void register_meshless(Registry& registry);

}  // namespace deformbench::meshless
