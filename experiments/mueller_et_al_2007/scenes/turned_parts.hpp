// SPDX-License-Identifier: BSD-3-Clause
// Machine parts about the z axis: extruded star-shaped sections such as gears and drums.
#pragma once

#include <functional>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

struct Section {
  std::function<double(double)> radius;  ///< radius at an angle (rad), m, > 0
  int points = 64;                       ///< around the section
};

/// Closed surface of the section extruded over |z| ≤ length/2 in `slices` steps; each end has `rings` rings of
/// triangles. Oriented outwards, or inwards (bodies are inside, as in a drum).
model::TriangleMesh extrude(const Section& section, double length, int slices, int rings, bool is_inward);

/// Gear with rounded teeth: radius mean + tooth/2·s(teeth·angle), s a flattened cosine between −1 and 1.
Section gear_section(double mean_radius, double tooth_height, int teeth, int points_a_tooth);

/// Circle with smooth ridges that rise inwards by `height` over an arc `width` (m).
Section drum_section(double radius, int ridges, double height, double width, int points);

}  // namespace deformbench::scenes
