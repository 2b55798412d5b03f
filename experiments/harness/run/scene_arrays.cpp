// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/scene_arrays.hpp"

#include <algorithm>
#include <set>

namespace deformbench::harness {
namespace {

std::span<const double> numbers(const Points& points) {
  return {points.data(), static_cast<std::size_t>(points.size())};
}

std::vector<std::size_t> shape(Eigen::Index rows, std::size_t columns) {
  return {static_cast<std::size_t>(rows), columns};
}

}  // namespace

void write_scene_arrays(TraceWriter& writer, const Scene& scene) {
  const auto& mesh = scene.tet_mesh;
  if (mesh.vertex_count() > 0) {
    const Eigen::VectorXd masses = lumped_masses(scene);
    writer.scene_array("rest_positions", numbers(mesh.rest_positions), shape(mesh.vertex_count(), 3), "m",
                       "Rest position of every vertex.");
    writer.scene_array("masses", std::span(masses.data(), static_cast<std::size_t>(masses.size())),
                       {static_cast<std::size_t>(masses.size())}, "kg", "Lumped mass of every vertex.");
    writer.scene_array("tetrahedra",
                       std::span(mesh.tetrahedra.data(), static_cast<std::size_t>(mesh.tetrahedra.size())),
                       shape(mesh.element_count(), 4), "Vertices of every tetrahedron.");
  }
  std::set<int> held;
  for (const auto& motion : scene.prescribed) held.insert(motion.vertices.begin(), motion.vertices.end());
  const std::vector<int> prescribed(held.begin(), held.end());
  if (!prescribed.empty())
    writer.scene_array("prescribed_vertices", std::span(prescribed), {prescribed.size()},
                       "Vertices whose motion is prescribed.");
  for (const auto& [name, vertices] : scene.vertex_sets)
    if (!vertices.empty())
      writer.scene_array("vertex_set_" + name, std::span(vertices), {vertices.size()},
                         "Vertices of the set " + name + ".");
  if (scene.skin.triangle_count() > 0) {
    writer.scene_array("skin_rest_positions", numbers(scene.skin.positions), shape(scene.skin.vertex_count(), 3), "m",
                       "Rest position of every vertex of the embedded surface.");
    writer.scene_array("skin_triangles",
                       std::span(scene.skin.triangles.data(), static_cast<std::size_t>(scene.skin.triangles.size())),
                       shape(scene.skin.triangle_count(), 3), "Vertices of every triangle of the embedded surface.");
  }
}

}  // namespace deformbench::harness
