// SPDX-License-Identifier: BSD-3-Clause
// The parts of the reader of scene files. Internal to scene_file.
#pragma once

#include "experiments/harness/cells/scene_file/json_node.hpp"
#include "experiments/harness/cells/scene_file/scene_reader.hpp"
#include "experiments/harness/cells/scene_file/selection.hpp"

namespace deformbench::harness {

/// State shared by the parts of the reader: document, scene so far, folder.
struct SceneReading {
  JsonNode document;
  std::filesystem::path folder;
  ReadScene result = {};
  BodyOrigin origin = {};

  Scene& scene() { return result.scene; }
};

/// A surface: {file, scale, rotation, translation_m} or {vertices_m, triangles}.
model::TriangleMesh read_surface(const JsonNode& node, SceneReading& reading);
/// Angle in rad, from exactly one of angle_rad and angle_deg.
double angle_of(const JsonNode& rotation);
/// {axis, angle_deg | angle_rad}.
Matrix3 rotation_of(const JsonNode& rotation);

void read_body(SceneReading& reading);  ///< mesh, cloth or particles, skin
void read_materials(SceneReading& reading, const Selector& selector);
void read_loads(SceneReading& reading, const Selector& selector);         ///< also planes, heat sources, cracks
void read_motions(SceneReading& reading, const Selector& selector);       ///< prescribed and initial motions
void read_rigid_bodies(SceneReading& reading, const Selector& selector);  ///< also attachments
void read_constraints(SceneReading& reading);
void read_bounds(SceneReading& reading);

}  // namespace deformbench::harness
