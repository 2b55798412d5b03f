// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::peers {

/// Adds naive_eigen, reuse_eigen and naive_pbd.
void register_peers(Registry& registry);
void register_naive_eigen(Registry& registry);
void register_reuse_eigen(Registry& registry);
void register_naive_pbd(Registry& registry);

}  // namespace deformbench::peers
