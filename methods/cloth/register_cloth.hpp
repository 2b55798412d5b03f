// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::cloth {

/// force_cloth [B05].
void register_cloth(Registry& registry);

}  // namespace deformbench::cloth
