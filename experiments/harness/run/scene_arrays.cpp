// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/scene_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace deformbench::harness {
namespace {

std::span<const double> numbers(const Points& points) {
  return {points.data(), std::size_t(points.size())};
}

std::vector<std::size_t> shape(Eigen::Index rows, std::size_t columns) {
  return {std::size_t(rows), columns};
}

std::span<const int> indices(const Triangles& triangles) {
  return {triangles.data(), std::size_t(triangles.size())};
}

void write_body(TraceWriter& writer, const Scene& scene) {
  const Points& rest = scene.rest_positions();
  if (rest.rows() == 0) return;
  const Eigen::VectorXd masses = lumped_masses(scene);
  writer.scene_array("rest_positions", numbers(rest), shape(rest.rows(), 3), "m", "Rest position of every vertex.");
  writer.scene_array("masses", std::span(masses.data(), std::size_t(masses.size())), {std::size_t(masses.size())}, "kg",
                     "Lumped mass of every vertex.");
  const Tetrahedra& tetrahedra = scene.tet_mesh.tetrahedra;
  if (!scene.element_material.empty()) {
    std::vector<double> densities;
    for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e) densities.push_back(scene.material_of(e).density);
    writer.scene_array("element_densities", std::span<const double>(densities), {densities.size()}, "kg/m^3",
                       "Density of every tetrahedron, where they differ.");
  }
  if (tetrahedra.rows() > 0)
    writer.scene_array("tetrahedra", std::span(tetrahedra.data(), std::size_t(tetrahedra.size())),
                       shape(tetrahedra.rows(), 4), "Vertices of every tetrahedron.");
  if (scene.cloth.triangle_count() > 0)
    writer.scene_array("triangles", indices(scene.cloth.triangles), shape(scene.cloth.triangle_count(), 3),
                       "Vertices of every triangle of the cloth.");
}

void write_constraints(TraceWriter& writer, const Scene& scene) {
  const std::size_t count = scene.constraints.size();
  if (count == 0) return;
  std::vector<int> kinds, vertices, inequalities;
  std::vector<double> rest, stiffness, compliance;
  for (const auto& constraint : scene.constraints) {
    kinds.push_back(int(constraint.kind));
    for (int k = 0; k < 4; ++k)
      vertices.push_back(k < model::type_of(constraint.kind).cardinality ? constraint.vertices[std::size_t(k)] : -1);
    inequalities.push_back(constraint.is_inequality);
    rest.push_back(constraint.rest_value);
    stiffness.push_back(constraint.stiffness);
    compliance.push_back(constraint.compliance);
  }
  std::string known;
  for (std::size_t k = 0; k < model::kConstraintTypes.size(); ++k)
    known += fmt::format("{} {} {}", k == 0 ? ":" : ",", k, model::kConstraintTypes[k].name);
  writer.scene_array("constraint_kinds", std::span<const int>(kinds), {count},
                     "Kind of every explicit constraint" + known + ".");
  writer.scene_array("constraint_vertices", std::span<const int>(vertices), {count, 4},
                     "Vertices of every explicit constraint; −1: none.");
  writer.scene_array("constraint_inequalities", std::span<const int>(inequalities), {count}, "1: C ≥ 0, 0: C = 0.");
  writer.scene_array("constraint_rest_values", std::span<const double>(rest), {count}, "1",
                     "Rest value, in the unit of the constraint's kind (m, rad, m³).");
  writer.scene_array("constraint_stiffness", std::span<const double>(stiffness), {count}, "1",
                     "Stiffness k of every explicit constraint.");
  writer.scene_array("constraint_compliance", std::span<const double>(compliance), {count}, "1",
                     "Compliance of every explicit constraint, in the square of its unit over J.");
}

void write_rigid_bodies(TraceWriter& writer, const Scene& scene) {
  const std::size_t count = scene.rigid_bodies.size();
  if (count == 0) return;
  std::vector<double> masses, positions, orientations;
  std::vector<int> kinematic, attached;
  for (std::size_t k = 0; k < count; ++k) {
    const model::RigidBody& body = scene.rigid_bodies[k];
    masses.push_back(body.mass);
    kinematic.push_back(body.is_kinematic());
    for (int i = 0; i < 3; ++i) {
      positions.push_back(body.start.position[i]);
      for (int j = 0; j < 3; ++j) orientations.push_back(body.start.orientation(i, j));
    }
    const model::TriangleMesh surface = model::surface_of(body.shape);
    const std::string name = "rigid_" + std::to_string(k);
    writer.scene_array(name + "_positions", numbers(surface.positions), shape(surface.vertex_count(), 3), "m",
                       "Surface of rigid body '" + body.name + "', in its own frame.");
    writer.scene_array(name + "_triangles", indices(surface.triangles), shape(surface.triangle_count(), 3),
                       "Triangles of rigid body '" + body.name + "'.");
  }
  writer.scene_array("rigid_masses", std::span<const double>(masses), {count}, "kg",
                     "Mass of every rigid body; 0: kinematic.");
  writer.scene_array("rigid_kinematic", std::span<const int>(kinematic), {count},
                     "1 for a body that only its given motion moves.");
  writer.scene_array("rigid_start_positions", std::span<const double>(positions), {count, 3}, "m",
                     "Origin of every rigid body at the start.");
  writer.scene_array("rigid_start_orientations", std::span<const double>(orientations), {count, 3, 3}, "1",
                     "Orientation of every rigid body at the start, body to world.");
  for (const auto& attachment : scene.attachments)
    attached.insert(attached.end(), {attachment.vertex, attachment.body});
  if (!attached.empty())
    writer.scene_array("attachments", std::span<const int>(attached), {attached.size() / 2, 2},
                       "Vertex and rigid body of every attachment.");
}

void write_planes(TraceWriter& writer, const Scene& scene) {
  std::vector<double> normals, offsets;
  for (const auto& plane : scene.colliders) {
    normals.insert(normals.end(), plane.normal.data(), plane.normal.data() + 3);
    offsets.push_back(plane.offset);
  }
  if (offsets.empty()) return;
  writer.scene_array("plane_normals", std::span<const double>(normals), {offsets.size(), 3}, "1",
                     "Normal of every plane, to the allowed side.");
  writer.scene_array("plane_offsets", std::span<const double>(offsets), {offsets.size()}, "m",
                     "normal·x of every plane.");
}

/// Written only if a prescribed vertex has a free component; otherwise all three are prescribed.
void write_components(TraceWriter& writer, const Scene& scene, const std::vector<int>& prescribed) {
  std::vector<int> components(3 * prescribed.size(), 0);
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices) {
      const auto row = std::size_t(std::lower_bound(prescribed.begin(), prescribed.end(), v) - prescribed.begin());
      for (std::size_t c = 0; c < 3; ++c) components[3 * row + c] |= motion.components[c];
    }
  if (std::find(components.begin(), components.end(), 0) == components.end()) return;
  writer.scene_array("prescribed_components", std::span<const int>(components), {prescribed.size(), 3},
                     "1 where x, y, z of the vertices in prescribed_vertices is prescribed, 0 where it is free.");
}

}  // namespace

void write_scene_arrays(TraceWriter& writer, const Scene& scene) {
  write_body(writer, scene);
  write_constraints(writer, scene);
  write_rigid_bodies(writer, scene);
  write_planes(writer, scene);
  std::set<int> held;
  for (const auto& motion : scene.prescribed) held.insert(motion.vertices.begin(), motion.vertices.end());
  const std::vector<int> prescribed(held.begin(), held.end());
  if (!prescribed.empty())
    writer.scene_array("prescribed_vertices", std::span(prescribed), {prescribed.size()},
                       "Vertices whose motion is prescribed.");
  write_components(writer, scene, prescribed);
  for (const auto& [name, vertices] : scene.vertex_sets)
    if (!vertices.empty())
      writer.scene_array("vertex_set_" + name, std::span(vertices), {vertices.size()},
                         "Vertices of the set " + name + ".");
  if (scene.skin.triangle_count() > 0) {
    writer.scene_array("skin_rest_positions", numbers(scene.skin.positions), shape(scene.skin.vertex_count(), 3), "m",
                       "Rest position of every vertex of the embedded surface.");
    writer.scene_array("skin_triangles", indices(scene.skin.triangles), shape(scene.skin.triangle_count(), 3),
                       "Vertices of every triangle of the embedded surface.");
  }
}

}  // namespace deformbench::harness
