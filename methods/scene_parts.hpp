// SPDX-License-Identifier: BSD-3-Clause
// Names of the optional parts of a scene (beyond loads and prescribed vertices), and a check for external methods,
// which support few of them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "methods/method.hpp"

namespace deformbench {

inline constexpr std::array<std::string_view, 11> kSceneParts{
    "tetrahedra",  "cloth",        "particles",   "solid_nodes",  "planes", "rollers",
    "constraints", "rigid_bodies", "attachments", "heat_sources", "cracks"};

/// Yes if the scene has vertices to move and no part outside `takes`, a subset of kSceneParts. `who` begins the
/// reason: "the program takes no planes".
Support takes_scene(const Scene& scene, const std::vector<std::string_view>& takes, std::string_view who);

}  // namespace deformbench
