// SPDX-License-Identifier: BSD-3-Clause
// Three animals as implicit bodies: y up, head towards +x, standing on y = 0, metres.
#pragma once

#include "methods/surface/procedural/body.hpp"

namespace deformbench::surface {

Body snake_body();      ///< parts: trunk, tail, neck, head
Body quadruped_body();  ///< parts: trunk, neck, head, legs, tail
Body dragon_body();     ///< parts: trunk, neck, head, legs, tail, wings

}  // namespace deformbench::surface
