// SPDX-License-Identifier: BSD-3-Clause
// What a scene may have beside loads and prescribed vertices, by name, and whether a method takes it: for methods from
// outside, which know few of these parts.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "methods/method.hpp"

namespace deformbench {

inline constexpr std::array<std::string_view, 11> kSceneParts{
    "tetrahedra",  "cloth",        "particles",   "solid_nodes",  "planes", "rollers",
    "constraints", "rigid_bodies", "attachments", "heat_sources", "cracks"};

/// Yes where the scene has vertices to move and no part beside those of `takes`, which is some of kSceneParts. `who`
/// begins the reason: "the program takes no planes".
Support takes_scene(const Scene& scene, const std::vector<std::string_view>& takes, std::string_view who);

}  // namespace deformbench
