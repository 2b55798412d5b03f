// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/scene.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "methods/model/error.hpp"

namespace deformbench {

const model::Material& Scene::material_of(Eigen::Index element) const {
  const auto e = static_cast<std::size_t>(element);
  return materials[element_material.empty() ? 0 : static_cast<std::size_t>(element_material[e])];
}

Points Scene::start_positions() const {
  return initial_positions.rows() > 0 ? initial_positions : tet_mesh.rest_positions;
}

Points Scene::start_velocities() const {
  if (initial_velocities.rows() > 0) return initial_velocities;
  return Points::Zero(tet_mesh.vertex_count(), 3);
}

namespace {

[[noreturn]] void refuse(const Scene& scene, const std::string& what) {
  throw InputError(fmt::format("scene '{}': {}", scene.name, what));
}

void check_positions(const Scene& scene, const Points& points, const char* what) {
  if (points.rows() == 0) return;
  if (points.rows() != scene.tet_mesh.vertex_count())
    refuse(scene, fmt::format("{} has {} rows, expected {} (one a vertex)", what, points.rows(),
                              scene.tet_mesh.vertex_count()));
  for (Eigen::Index i = 0; i < points.rows(); ++i)
    if (!points.row(i).allFinite())
      refuse(scene, fmt::format("{} of vertex {} is not finite, expected finite metres", what, i));
}

void check_elements(const Scene& scene) {
  const auto& mesh = scene.tet_mesh;
  std::vector<bool> used(static_cast<std::size_t>(mesh.vertex_count()), false);
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 4; ++k) {
      const int v = mesh.tetrahedra(e, k);
      if (v < 0 || v >= mesh.vertex_count())
        refuse(scene, fmt::format("tetrahedron {} has vertex {}, expected 0 … {}", e, v, mesh.vertex_count() - 1));
      used[static_cast<std::size_t>(v)] = true;
    }
    const double volume = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
    if (!(volume > 0.0))
      refuse(scene, fmt::format("tetrahedron {} has rest volume {:.3g} m³, expected a positive volume ({})", e,
                                volume, volume < 0 ? "inverted" : "degenerate"));
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) refuse(scene, fmt::format("vertex {} is in no tetrahedron", i));
}

void check_materials(const Scene& scene) {
  if (scene.materials.empty()) refuse(scene, "no material, expected at least one");
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const auto& m = scene.materials[k];
    if (!(m.young_modulus > 0 && std::isfinite(m.young_modulus)))
      refuse(scene, fmt::format("material {}: Young's modulus {} Pa, expected > 0", k, m.young_modulus));
    if (!(m.poisson_ratio > -1 && m.poisson_ratio < 0.5))
      refuse(scene, fmt::format("material {}: Poisson's ratio {}, expected −1 < ν < 0.5", k, m.poisson_ratio));
    if (!(m.density > 0 && std::isfinite(m.density)))
      refuse(scene, fmt::format("material {}: density {} kg/m³, expected > 0", k, m.density));
  }
  if (!scene.element_material.empty() &&
      scene.element_material.size() != static_cast<std::size_t>(scene.tet_mesh.element_count()))
    refuse(scene, fmt::format("{} element materials, expected {}", scene.element_material.size(),
                              scene.tet_mesh.element_count()));
  for (const int k : scene.element_material)
    if (k < 0 || k >= static_cast<int>(scene.materials.size()))
      refuse(scene, fmt::format("element material {}, expected 0 … {}", k, scene.materials.size() - 1));
}

void check_vertex(const Scene& scene, int vertex, const std::string& where) {
  if (vertex < 0 || vertex >= scene.tet_mesh.vertex_count())
    refuse(scene, fmt::format("{} names vertex {}, expected 0 … {}", where, vertex,
                              scene.tet_mesh.vertex_count() - 1));
}

}  // namespace

void check_scene(const Scene& scene) {
  if (!(scene.time_step > 0 && std::isfinite(scene.time_step)))
    refuse(scene, fmt::format("time step {} s, expected > 0", scene.time_step));
  if (!scene.gravity.allFinite()) refuse(scene, "gravity is not finite, expected finite m/s²");
  check_positions(scene, scene.tet_mesh.rest_positions, "rest position");
  check_positions(scene, scene.initial_positions, "initial position");
  check_positions(scene, scene.initial_velocities, "initial velocity");
  check_materials(scene);
  check_elements(scene);
  for (const auto& motion : scene.prescribed) {
    for (const int v : motion.vertices) check_vertex(scene, v, "a prescribed motion");
    if (motion.targets.rows() > 0 && motion.targets.rows() != static_cast<Eigen::Index>(motion.vertices.size()))
      refuse(scene, fmt::format("a prescribed motion has {} targets, expected {} (one a vertex)",
                                motion.targets.rows(), motion.vertices.size()));
    if (std::isfinite(motion.ramp.until))
      refuse(scene, fmt::format("a prescribed motion ends at {} s, expected one that stays", motion.ramp.until));
  }
  for (const auto& load : scene.point_loads) check_vertex(scene, load.vertex, "a point load");
  for (const auto& load : scene.traction_loads)
    for (Eigen::Index t = 0; t < load.triangles.size(); ++t)
      check_vertex(scene, load.triangles.data()[t], "a traction load");
  for (const auto& plane : scene.colliders)
    if (std::abs(plane.normal.norm() - 1.0) > 1e-9 || plane.friction < 0)
      refuse(scene, "a plane collider needs a unit normal and a friction coefficient ≥ 0");
  for (const auto& source : scene.heat_sources) {
    if (!(source.radius > 0))
      refuse(scene, fmt::format("a heat source has radius {} m, expected > 0", source.radius));
    if (!(source.stiffness_factor > 0 && std::isfinite(source.stiffness_factor)))
      refuse(scene, fmt::format("a heat source has stiffness factor {}, expected > 0", source.stiffness_factor));
    if (!(source.plastic_yield >= 0 && source.plastic_creep >= 0 && source.plastic_max >= 0))
      refuse(scene, fmt::format("a heat source has plastic yield {}, creep {} 1/s, max {}, expected none negative",
                                source.plastic_yield, source.plastic_creep, source.plastic_max));
  }
  for (const auto& [name, vertices] : scene.vertex_sets)
    for (const int v : vertices) check_vertex(scene, v, "vertex set '" + name + "'");
}

Eigen::VectorXd lumped_masses(const Scene& scene) {
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
  const auto& rest = scene.tet_mesh.rest_positions;
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
  return forces;
}

}  // namespace deformbench
