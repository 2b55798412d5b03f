// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::pbd {

/// pbd (Müller et al. 2007) and xpbd (Macklin et al. 2016, with the small steps of 2019).
void register_pbd(Registry& registry);

}  // namespace deformbench::pbd
