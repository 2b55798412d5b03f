// SPDX-License-Identifier: BSD-3-Clause
// The parts of the reader of scene files. Internal to scene_file.
#pragma once

#include "experiments/harness/cells/scene_file/json_node.hpp"
#include "experiments/harness/cells/scene_file/scene_reader.hpp"
#include "experiments/harness/cells/scene_file/selection.hpp"

namespace deformbench::harness {

/// What the parts of the reader share: the document, what was read so far, and where files are.
struct SceneReading {
  JsonNode document;
  std::filesystem::path folder;
  ReadScene result = {};
  BodyOrigin origin = {};

  Scene& scene() { return result.scene; }
};

/// A surface: {file, scale, rotation, translation_m} or {vertices_m, triangles}.
model::TriangleMesh read_surface(const JsonNode& node, SceneReading& reading);
/// Angle in rad of angle_rad or angle_deg, of which there must be one.
double angle_of(const JsonNode& rotation);
/// {axis, angle_deg | angle_rad}.
Matrix3 rotation_of(const JsonNode& rotation);

void read_body(SceneReading& reading);  ///< mesh, cloth or particles, skin
void read_materials(SceneReading& reading, const Selector& selector);
void read_loads(SceneReading& reading, const Selector& selector);  ///< of every kind, and planes, heat sources, cracks
void read_motions(SceneReading& reading, const Selector& selector);       ///< prescribed and initial ones
void read_rigid_bodies(SceneReading& reading, const Selector& selector);  ///< with what hangs on them
void read_constraints(SceneReading& reading);
void read_bounds(SceneReading& reading);

}  // namespace deformbench::harness
