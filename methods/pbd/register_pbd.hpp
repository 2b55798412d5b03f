// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::pbd {

/// pbd [MHHR07] and xpbd [MMC16], with the small steps of [MSL19].
void register_pbd(Registry& registry);

}  // namespace deformbench::pbd
