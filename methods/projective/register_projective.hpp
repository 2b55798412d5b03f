// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::projective {

void register_projective(Registry& registry);

}  // namespace deformbench::projective
