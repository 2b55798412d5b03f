// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/registry.hpp"

namespace deformbench::bullet {

/// Adds bullet_fem and bullet_cloth; without Bullet, as methods that are not built.
void register_bullet(Registry& registry);
MethodDescriptor bullet_fem_descriptor();
MethodDescriptor bullet_cloth_descriptor();

}  // namespace deformbench::bullet
