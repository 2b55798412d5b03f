// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::peers {

/// Adds naive_eigen, reuse_eigen, naive_pbd and naive_meshless.
void register_peers(Registry& registry);
void register_naive_eigen(Registry& registry);
void register_reuse_eigen(Registry& registry);
void register_naive_pbd(Registry& registry);
void register_naive_meshless(Registry& registry);

}  // namespace deformbench::peers
