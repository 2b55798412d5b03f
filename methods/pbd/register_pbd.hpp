// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::pbd {

/// Adds pbd [MHHR07] and xpbd [MMC16], with small steps [MSL19].
void register_pbd(Registry& registry);

}  // namespace deformbench::pbd
