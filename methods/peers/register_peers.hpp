// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::peers {

/// Adds the peers that were found at build time: naive_eigen always.
void register_peers(Registry& registry);

}  // namespace deformbench::peers
