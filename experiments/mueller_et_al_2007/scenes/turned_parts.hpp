// SPDX-License-Identifier: BSD-3-Clause
// Machine parts about the z axis: extruded star-shaped sections, as gears and drums are.
#pragma once

#include <functional>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

struct Section {
  std::function<double(double)> radius;  ///< of the angle (rad), m, > 0
  int points = 64;                       ///< round the section
};

/// Closed surface of the section extruded over |z| ≤ length/2 in `slices` steps, its ends of `rings` rings of triangles
/// each. Outward oriented, or inward (a hollow whose inside is the allowed side).
model::TriangleMesh extrude(const Section& section, double length, int slices, int rings, bool is_inward);

/// Gear with rounded teeth: radius mean + tooth·s(teeth·angle), s between −1 and 1, flat where the teeth end.
Section gear_section(double mean_radius, double tooth_height, int teeth, int points_a_tooth);

/// Circle with smooth ridges that rise inwards by `height` over an arc `width` (m).
Section drum_section(double radius, int ridges, double height, double width, int points);

}  // namespace deformbench::scenes
