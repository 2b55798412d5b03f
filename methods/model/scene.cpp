// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/scene.hpp"

#include <Eigen/Geometry>

namespace deformbench {

const model::Material& Scene::material_of(Eigen::Index element) const {
  const auto e = std::size_t(element);
  return materials[element_material.empty() ? 0 : std::size_t(element_material[e])];
}

const Points& Scene::rest_positions() const {
  if (cloth.vertex_count() > 0) return cloth.rest_positions;
  return particles.vertex_count() > 0 ? particles.rest_positions : tet_mesh.rest_positions;
}

Points Scene::start_positions() const {
  return initial_positions.rows() > 0 ? initial_positions : rest_positions();
}

Points Scene::start_velocities() const {
  if (initial_velocities.rows() > 0) return initial_velocities;
  return Points::Zero(vertex_count(), 3);
}

Eigen::VectorXd lumped_masses(const Scene& scene) {
  if (scene.particles.vertex_count() > 0) return scene.particles.masses;
  if (scene.cloth.vertex_count() > 0) {
    const auto& cloth = scene.cloth;
    Eigen::VectorXd masses = Eigen::VectorXd::Zero(cloth.vertex_count());
    for (Eigen::Index t = 0; t < cloth.triangle_count(); ++t) {
      const Vector3 a = cloth.rest_positions.row(cloth.triangles(t, 0));
      const Vector3 b = cloth.rest_positions.row(cloth.triangles(t, 1));
      const Vector3 c = cloth.rest_positions.row(cloth.triangles(t, 2));
      const double third = cloth.area_density * (b - a).cross(c - a).norm() / 6.0;
      for (int k = 0; k < 3; ++k) masses[cloth.triangles(t, k)] += third;
    }
    return masses;
  }
  const auto& mesh = scene.tet_mesh;
  Eigen::VectorXd masses = Eigen::VectorXd::Zero(mesh.vertex_count());
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const double quarter = 0.25 * scene.material_of(e).density * tetrahedron_volume(mesh, mesh.rest_positions, e);
    for (int k = 0; k < 4; ++k) masses[mesh.tetrahedra(e, k)] += quarter;
  }
  return masses;
}

Points external_forces(const Scene& scene, const Eigen::VectorXd& masses, double time) {
  Points forces = masses * scene.gravity.transpose();
  for (const auto& load : scene.point_loads)
    forces.row(load.vertex) += load.ramp.value_at(time) * load.force.transpose();
  add_traction_forces(scene, time, forces);
  return forces;
}

void add_traction_forces(const Scene& scene, double time, Points& forces) {
  const auto& rest = scene.rest_positions();
  for (const auto& load : scene.traction_loads) {
    const Vector3 traction = load.ramp.value_at(time) * load.traction;
    for (Eigen::Index t = 0; t < load.triangles.rows(); ++t) {
      const auto triangle = load.triangles.row(t);
      const Vector3 a = rest.row(triangle[1]) - rest.row(triangle[0]);
      const Vector3 b = rest.row(triangle[2]) - rest.row(triangle[0]);
      const double third_of_area = a.cross(b).norm() / 6.0;
      for (int k = 0; k < 3; ++k) forces.row(triangle[k]) += third_of_area * traction.transpose();
    }
  }
}

std::vector<std::array<bool, 3>> prescribed_components(const Scene& scene) {
  std::vector<std::array<bool, 3>> prescribed(std::size_t(scene.vertex_count()), {false, false, false});
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices)
      for (std::size_t c = 0; c < 3; ++c)
        if (motion.components[c]) prescribed[std::size_t(v)][c] = true;
  return prescribed;
}

void place_prescribed(const Scene& scene, double time, Eigen::Ref<Points> positions) {
  const Points& rest = scene.rest_positions();
  for (const auto& motion : scene.prescribed)
    for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
      const int v = motion.vertices[k];
      const Vector3 target = motion.position_at(k, rest.row(v), time);
      for (int c = 0; c < 3; ++c)
        if (motion.components[std::size_t(c)]) positions(v, c) = target[c];
    }
}

}  // namespace deformbench
