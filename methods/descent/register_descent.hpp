// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::descent {

/// Registers vbd.
void register_descent(Registry& registry);

}  // namespace deformbench::descent
