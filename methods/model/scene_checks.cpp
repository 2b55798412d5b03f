// SPDX-License-Identifier: BSD-3-Clause
// check_scene: every reason that makes a scene unusable, in one line each.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/scene.hpp"

namespace deformbench {

namespace {

[[noreturn]] void refuse(const Scene& scene, const std::string& what) {
  throw InputError(fmt::format("scene '{}': {}", scene.name, what));
}

void check_positions(const Scene& scene, const Points& points, const char* what, const char* unit = "metres") {
  if (points.rows() == 0) return;
  if (points.rows() != scene.vertex_count())
    refuse(scene,
           fmt::format("{} has {} rows, expected {} (one per vertex)", what, points.rows(), scene.vertex_count()));
  for (Eigen::Index i = 0; i < points.rows(); ++i)
    if (!points.row(i).allFinite())
      refuse(scene, fmt::format("{} of vertex {} is not finite, expected finite {}", what, i, unit));
}

void check_elements(const Scene& scene) {
  const auto& mesh = scene.tet_mesh;
  std::vector<bool> used(std::size_t(mesh.vertex_count()), false);
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 4; ++k) {
      const int v = mesh.tetrahedra(e, k);
      if (v < 0 || v >= mesh.vertex_count())
        refuse(scene, fmt::format("tetrahedron {} has vertex {}, expected 0 … {}", e, v, mesh.vertex_count() - 1));
      used[std::size_t(v)] = true;
    }
    const double volume = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
    if (!(volume > 0.0))
      refuse(scene, fmt::format("tetrahedron {} has rest volume {:.3g} m³, expected a positive volume ({})", e, volume,
                                volume < 0 ? "inverted" : "degenerate"));
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
  if (!scene.element_material.empty() && scene.element_material.size() != std::size_t(scene.tet_mesh.element_count()))
    refuse(scene, fmt::format("{} element materials, expected {}", scene.element_material.size(),
                              scene.tet_mesh.element_count()));
  for (const int k : scene.element_material)
    if (k < 0 || k >= int(scene.materials.size()))
      refuse(scene, fmt::format("element material {}, expected 0 … {}", k, scene.materials.size() - 1));
}

void check_bodies(const Scene& scene) {
  const int bodies =
      (scene.tet_mesh.vertex_count() > 0) + (scene.cloth.vertex_count() > 0) + (scene.particles.vertex_count() > 0);
  if (bodies > 1) refuse(scene, "tetrahedra, cloth or particles side by side, expected one of them");
  if (scene.skin.triangle_count() > 0 && scene.tet_mesh.element_count() == 0 && !scene.particles.is_solid())
    refuse(scene, "a skin and no tetrahedra or nodes of a solid, expected a body that carries it");
}

void check_skin(const Scene& scene) {
  const auto& skin = scene.skin;
  for (Eigen::Index i = 0; i < skin.vertex_count(); ++i)
    if (!skin.positions.row(i).allFinite())
      refuse(scene, fmt::format("skin vertex {} is not finite, expected finite metres", i));
  for (Eigen::Index t = 0; t < skin.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      if (const int v = skin.triangles(t, k); v < 0 || v >= skin.vertex_count())
        refuse(scene,
               fmt::format("triangle {} of the skin has vertex {}, expected 0 … {}", t, v, skin.vertex_count() - 1));
}

std::string text_of(const Vector3& v) {
  return fmt::format("({}, {}, {})", v.x(), v.y(), v.z());
}

/// `where`: subject of the message, such as "point load 3".
void check_finite(const Scene& scene, const Vector3& v, const std::string& where, const char* what, const char* unit) {
  if (!v.allFinite())
    refuse(scene, fmt::format("{} has {} {} {}, expected finite numbers", where, what, text_of(v), unit));
}
void check_finite(const Scene& scene, double value, const std::string& where, const char* what, const char* unit) {
  if (!std::isfinite(value))
    refuse(scene, fmt::format("{} has {} {} {}, expected a finite number", where, what, value, unit));
}
void check_unit(const Scene& scene, const Vector3& v, const std::string& where, const char* what) {
  if (!(std::abs(v.norm() - 1.0) <= 1e-9))
    refuse(scene, fmt::format("{} has {} {}, expected a vector of length 1", where, what, text_of(v)));
}
/// `until` may be infinite (no end).
void check_ramp(const Scene& scene, const model::Ramp& ramp, const std::string& where) {
  if (!(std::isfinite(ramp.start) && std::isfinite(ramp.end) && ramp.start <= ramp.end))
    refuse(scene, fmt::format("{} ramps from {} s to {} s, expected finite times, the second not before the first",
                              where, ramp.start, ramp.end));
  if (std::isnan(ramp.until)) refuse(scene, fmt::format("{} lasts until {} s, expected a time", where, ramp.until));
  for (std::size_t k = 0; k < ramp.table.size(); ++k) {
    const auto [time, value] = ramp.table[k];
    if (!(std::isfinite(time) && std::isfinite(value)) || (k > 0 && !(time > ramp.table[k - 1][0])))
      refuse(scene,
             fmt::format("{} has in row {} of its table {} at {} s, expected finite numbers and later times from "
                         "row to row",
                         where, k, value, time));
  }
  if (!ramp.table.empty() && (ramp.start != ramp.table.front()[0] || ramp.end != ramp.table.back()[0]))
    refuse(scene,
           fmt::format("{} ramps from {} s to {} s, expected the first and last time of its table, {} s and {} s",
                       where, ramp.start, ramp.end, ramp.table.front()[0], ramp.table.back()[0]));
}

/// Triangle of a directed edge. Two of the same direction: inconsistent orientation, or an edge of three triangles.
struct HalfEdge {
  int from, to, triangle;
};
std::vector<HalfEdge> sorted_half_edges(const Triangles& triangles) {
  std::vector<HalfEdge> edges;
  edges.reserve(std::size_t(triangles.size()));
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) edges.push_back({triangles(t, k), triangles(t, (k + 1) % 3), int(t)});
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tie(a.from, a.to, a.triangle) < std::tie(b.from, b.to, b.triangle);
  });
  return edges;
}

void check_manifold(const Scene& scene, const model::ClothMesh& cloth) {
  const auto edges = sorted_half_edges(cloth.triangles);
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (edges[i].from == edges[i - 1].from && edges[i].to == edges[i - 1].to)
      refuse(scene,
             fmt::format("edge ({}, {}) of the cloth runs the same way in triangles {} and {}, expected a manifold "
                         "surface with neighbours wound alike",
                         edges[i].from, edges[i].to, edges[i - 1].triangle, edges[i].triangle));
  const auto fans = model::split_vertex_fans({cloth.rest_positions, cloth.triangles});
  if (!fans.split_vertices.empty())
    refuse(scene, fmt::format("vertex {} of the cloth joins several fans of triangles, expected a manifold surface",
                              fans.split_vertices.front()));
}

void check_cloth(const Scene& scene) {
  const auto& cloth = scene.cloth;
  if (cloth.vertex_count() == 0) return;
  if (!(cloth.area_density > 0 && std::isfinite(cloth.area_density)))
    refuse(scene, fmt::format("cloth of {} kg/m², expected > 0", cloth.area_density));
  std::vector<bool> used(std::size_t(cloth.vertex_count()), false);
  for (Eigen::Index t = 0; t < cloth.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int v = cloth.triangles(t, k);
      if (v < 0 || v >= cloth.vertex_count())
        refuse(scene,
               fmt::format("triangle {} of the cloth has vertex {}, expected 0 … {}", t, v, cloth.vertex_count() - 1));
      used[std::size_t(v)] = true;
    }
    const auto x = [&](int k) -> Vector3 { return cloth.rest_positions.row(cloth.triangles(t, k)); };
    const double longest = std::max({(x(1) - x(0)).norm(), (x(2) - x(1)).norm(), (x(0) - x(2)).norm()});
    if (!((x(1) - x(0)).cross(x(2) - x(0)).norm() > 1e-12 * longest * longest))
      refuse(scene, fmt::format("triangle {} of the cloth has no area", t));
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) refuse(scene, fmt::format("vertex {} is in no triangle of the cloth", i));
  check_manifold(scene, cloth);
}

void check_particles(const Scene& scene) {
  const auto& particles = scene.particles;
  if (particles.masses.size() != particles.vertex_count())
    refuse(scene, fmt::format("{} particle masses, expected {}", particles.masses.size(), particles.vertex_count()));
  for (Eigen::Index i = 0; i < particles.masses.size(); ++i)
    if (!(particles.masses[i] > 0 && std::isfinite(particles.masses[i])))
      refuse(scene, fmt::format("particle {} has mass {} kg, expected > 0", i, particles.masses[i]));
  if (!particles.is_solid()) return;
  check_materials(scene);
  if (particles.supports.size() != particles.vertex_count())
    refuse(scene, fmt::format("{} supports, expected {}", particles.supports.size(), particles.vertex_count()));
  for (Eigen::Index i = 0; i < particles.supports.size(); ++i)
    if (!(particles.supports[i] > 0 && std::isfinite(particles.supports[i])))
      refuse(scene, fmt::format("particle {} has support {} m, expected > 0", i, particles.supports[i]));
}

void check_vertex(const Scene& scene, int vertex, const std::string& where) {
  if (vertex < 0 || vertex >= scene.vertex_count())
    refuse(scene, fmt::format("{} names vertex {}, expected 0 … {}", where, vertex, scene.vertex_count() - 1));
}

/// A crack stays open: its front never retreats.
bool rises_from_nothing(const model::Ramp& ramp) {
  for (std::size_t k = 0; k < ramp.table.size(); ++k)
    if (!(ramp.table[k][1] >= (k == 0 ? 0.0 : ramp.table[k - 1][1]))) return false;
  return ramp.until == std::numeric_limits<double>::infinity();
}

void check_cracks(const Scene& scene) {
  if (!scene.cracks.empty() && scene.tet_mesh.element_count() == 0 && !scene.particles.is_solid())
    refuse(scene, "a crack and no tetrahedra or nodes of a solid, expected a body that it cuts");
  for (std::size_t k = 0; k < scene.cracks.size(); ++k) {
    const auto& crack = scene.cracks[k];
    const std::string where = fmt::format("crack {}", k);
    check_finite(scene, crack.advance, where, "advance", "m");
    check_ramp(scene, crack.ramp, where);
    if (!rises_from_nothing(crack.ramp))
      refuse(scene, fmt::format("{} goes back or ends, expected a ramp of values ≥ 0 that never falls", where));
    if (const std::string fault = model::fault_of(crack); !fault.empty())
      refuse(scene, fmt::format("{}: {}", where, fault));
  }
}

void check_constraints(const Scene& scene) {
  for (std::size_t c = 0; c < scene.constraints.size(); ++c) {
    const auto& constraint = scene.constraints[c];
    const std::string where = fmt::format("{} constraint {}", model::type_of(constraint.kind).name, c);
    for (int k = 0; k < model::type_of(constraint.kind).cardinality; ++k) {
      const int v = constraint.vertices[std::size_t(k)];
      check_vertex(scene, v, where);
      for (int j = 0; j < k; ++j)
        if (constraint.vertices[std::size_t(j)] == v) refuse(scene, fmt::format("{} names vertex {} twice", where, v));
    }
    if (!std::isfinite(constraint.rest_value))
      refuse(scene, fmt::format("{} has rest value {}, expected a finite one", where, constraint.rest_value));
    if (!(constraint.stiffness >= 0 && constraint.stiffness <= 1))
      refuse(scene, fmt::format("{} has stiffness {}, expected 0 … 1", where, constraint.stiffness));
    if (!(constraint.compliance >= 0 && std::isfinite(constraint.compliance)))
      refuse(scene, fmt::format("{} has compliance {}, expected ≥ 0", where, constraint.compliance));
  }
}

void check_prescribed(const Scene& scene) {
  for (std::size_t m = 0; m < scene.prescribed.size(); ++m) {
    const auto& motion = scene.prescribed[m];
    const std::string where = fmt::format("prescribed motion {}", m);
    for (const int v : motion.vertices) check_vertex(scene, v, "a prescribed motion");
    if (std::none_of(motion.components.begin(), motion.components.end(),
                     [](bool is_prescribed) { return is_prescribed; }))
      refuse(scene, fmt::format("{} prescribes none of x, y, z, expected at least one", where));
    if (motion.targets.rows() > 0 && motion.targets.rows() != Eigen::Index(motion.vertices.size()))
      refuse(scene, fmt::format("a prescribed motion has {} targets, expected {} (one per vertex)",
                                motion.targets.rows(), motion.vertices.size()));
    for (Eigen::Index k = 0; k < motion.targets.rows(); ++k)
      if (!motion.targets.row(k).allFinite())
        refuse(scene, fmt::format("{}: target {} (of vertex {}) is not finite, expected finite metres", where, k,
                                  motion.vertices[std::size_t(k)]));
    check_finite(scene, motion.translation, where, "translation", "m");
    check_finite(scene, motion.origin, where, "origin", "m");
    check_finite(scene, motion.angle, where, "angle", "rad");
    check_unit(scene, motion.axis, where, "axis");
    if (!(motion.ramp.until == std::numeric_limits<double>::infinity()))
      refuse(scene, fmt::format("a prescribed motion ends at {} s, expected one that stays", motion.ramp.until));
    check_ramp(scene, motion.ramp, where);
  }
}

void check_loads(const Scene& scene) {
  for (std::size_t k = 0; k < scene.point_loads.size(); ++k) {
    const auto& load = scene.point_loads[k];
    check_vertex(scene, load.vertex, "a point load");
    const std::string where = fmt::format("point load {} on vertex {}", k, load.vertex);
    check_finite(scene, load.force, where, "force", "N");
    check_ramp(scene, load.ramp, where);
  }
  for (std::size_t k = 0; k < scene.traction_loads.size(); ++k) {
    const auto& load = scene.traction_loads[k];
    for (Eigen::Index t = 0; t < load.triangles.size(); ++t)
      check_vertex(scene, load.triangles.data()[t], "a traction load");
    const std::string where = fmt::format("traction load {}", k);
    check_finite(scene, load.traction, where, "traction", "Pa");
    check_ramp(scene, load.ramp, where);
  }
}

void check_planes(const Scene& scene) {
  for (std::size_t k = 0; k < scene.colliders.size(); ++k) {
    const auto& plane = scene.colliders[k];
    const std::string where = fmt::format("plane collider {}", k);
    check_unit(scene, plane.normal, where, "normal");
    check_finite(scene, plane.offset, where, "offset", "m");
    if (!(plane.friction >= 0 && std::isfinite(plane.friction)))
      refuse(scene, fmt::format("{} has friction {}, expected a finite coefficient ≥ 0", where, plane.friction));
    if (!(plane.restitution >= 0 && plane.restitution <= 1))
      refuse(scene, fmt::format("{} has restitution {}, expected 0 … 1", where, plane.restitution));
  }
}

void check_heat_sources(const Scene& scene) {
  for (std::size_t k = 0; k < scene.heat_sources.size(); ++k) {
    const auto& source = scene.heat_sources[k];
    const std::string where = fmt::format("heat source {}", k);
    check_finite(scene, source.from, where, "centre", "m");
    check_finite(scene, source.to, where, "centre", "m");
    check_ramp(scene, source.ramp, where);
    if (!(source.radius > 0 && std::isfinite(source.radius)))
      refuse(scene, fmt::format("{} has radius {} m, expected > 0", where, source.radius));
    if (!(source.stiffness_factor > 0 && std::isfinite(source.stiffness_factor)))
      refuse(scene, fmt::format("{} has stiffness factor {}, expected > 0", where, source.stiffness_factor));
    const auto is_limit = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!is_limit(source.plastic_yield) || !is_limit(source.plastic_creep) || !is_limit(source.plastic_max))
      refuse(scene, fmt::format("{} has plastic yield {}, creep {} 1/s, max {}, expected finite numbers, none negative",
                                where, source.plastic_yield, source.plastic_creep, source.plastic_max));
  }
}

bool is_rotation(const Matrix3& r) {
  return (r.transpose() * r - Matrix3::Identity()).norm() < 1e-9 && r.determinant() > 0;
}

/// A dynamic body's mesh: no open edge, and no vertex in front of a face.
void check_solid(const Scene& scene, const model::RigidBody& body) {
  const auto& mesh = body.shape.mesh;
  const auto edges = sorted_half_edges(mesh.triangles);
  for (const HalfEdge& edge : edges) {
    const auto back = std::lower_bound(edges.begin(), edges.end(), edge, [](const HalfEdge& a, const HalfEdge& b) {
      return std::tie(a.from, a.to) < std::tie(b.to, b.from);
    });
    if (back == edges.end() || back->from != edge.to || back->to != edge.from)
      refuse(
          scene,
          fmt::format("rigid body '{}': edge ({}, {}) of its mesh is open, expected a closed surface of a body with a "
                      "mass",
                      body.name, edge.from, edge.to));
  }
  const double size = (mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff()).norm();
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                  c = mesh.positions.row(mesh.triangles(t, 2));
    const Vector3 normal = (b - a).cross(c - a).normalized();
    const double furthest = ((mesh.positions * normal).array() - a.dot(normal)).maxCoeff();
    if (!(furthest <= 1e-6 * size))  // coordinates of a file have six digits
      refuse(scene,
             fmt::format("rigid body '{}': its mesh is not convex at triangle {}, or wound inwards, expected a convex "
                         "one of a body with a mass",
                         body.name, t));
  }
}

void check_shape(const Scene& scene, const model::RigidBody& body) {
  const auto refuse_body = [&](const std::string& what) {
    refuse(scene, fmt::format("rigid body '{}': {}", body.name, what));
  };
  using model::ShapeKind;
  const auto& shape = body.shape;
  if ((shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::Capsule) &&
      !(shape.radius > 0 && std::isfinite(shape.radius)))
    refuse_body(fmt::format("radius {} m, expected > 0", shape.radius));
  if (shape.kind == ShapeKind::Capsule && !(shape.half_length >= 0 && std::isfinite(shape.half_length)))
    refuse_body(fmt::format("half length {} m, expected ≥ 0", shape.half_length));
  if (shape.kind == ShapeKind::Box && !((shape.half_extents.array() > 0).all() && shape.half_extents.allFinite()))
    refuse_body("a half extent of the box is not > 0 m");
  if (shape.kind != ShapeKind::Mesh) return;
  if (shape.mesh.triangle_count() == 0) refuse_body("a mesh without triangles");
  for (Eigen::Index k = 0; k < shape.mesh.triangles.size(); ++k) {
    const int v = shape.mesh.triangles.data()[k];
    if (v < 0 || v >= shape.mesh.vertex_count())
      refuse_body(fmt::format("triangle {} of its mesh has vertex {}, expected 0 … {}", k / 3, v,
                              shape.mesh.vertex_count() - 1));
  }
  if (!shape.mesh.positions.allFinite()) refuse_body("a vertex of its mesh is not finite");
  if (!body.is_kinematic()) check_solid(scene, body);
}

void check_rigid_bodies(const Scene& scene) {
  for (const auto& body : scene.rigid_bodies) {
    const auto refuse_body = [&](const std::string& what) {
      refuse(scene, fmt::format("rigid body '{}': {}", body.name, what));
    };
    if (!(body.mass >= 0 && std::isfinite(body.mass)))
      refuse_body(fmt::format("mass {} kg, expected > 0, or 0 for a kinematic body", body.mass));
    check_shape(scene, body);
    if (!(body.friction >= 0 && std::isfinite(body.friction)))
      refuse_body(fmt::format("friction {}, expected ≥ 0", body.friction));
    if (!(body.restitution >= 0 && body.restitution <= 1))
      refuse_body(fmt::format("restitution {}, expected 0 … 1", body.restitution));
    if (!body.start.position.allFinite() || !is_rotation(body.start.orientation))
      refuse_body("its start is no finite position and rotation, expected finite metres and a rotation matrix");
    if (!body.velocity.allFinite() || !body.angular_velocity.allFinite() || !body.swing.allFinite() ||
        !std::isfinite(body.start_time))
      refuse_body("its velocity, swing or start time is not finite, expected finite numbers");
    if (!(body.swing_period > 0 && std::isfinite(body.swing_period)))
      refuse_body(fmt::format("swing period {} s, expected > 0", body.swing_period));
    if (!body.is_kinematic() && !body.swing.isZero(0))
      refuse_body(fmt::format("a swing and a mass of {} kg, expected mass 0: only kinematic bodies swing", body.mass));
  }
  for (const auto& attachment : scene.attachments) {
    check_vertex(scene, attachment.vertex, "an attachment");
    if (attachment.body < 0 || attachment.body >= int(scene.rigid_bodies.size()))
      refuse(scene, fmt::format("an attachment names rigid body {}, expected 0 … {}", attachment.body,
                                int(scene.rigid_bodies.size()) - 1));
  }
}

}  // namespace

void check_scene(const Scene& scene) {
  if (!(scene.time_step > 0 && std::isfinite(scene.time_step)))
    refuse(scene, fmt::format("time step {} s, expected > 0", scene.time_step));
  if (!scene.gravity.allFinite()) refuse(scene, "gravity is not finite, expected finite m/s²");
  check_bodies(scene);
  check_positions(scene, scene.rest_positions(), "rest position");
  check_positions(scene, scene.initial_positions, "initial position");
  check_positions(scene, scene.initial_velocities, "initial velocity", "m/s");
  const bool has_other_body =
      scene.cloth.vertex_count() + scene.particles.vertex_count() > 0 || !scene.rigid_bodies.empty();
  if (scene.tet_mesh.vertex_count() > 0 || !has_other_body) {
    check_materials(scene);
    check_elements(scene);
  }
  check_cloth(scene);
  check_particles(scene);
  check_skin(scene);
  check_prescribed(scene);
  check_loads(scene);
  check_planes(scene);
  check_heat_sources(scene);
  check_cracks(scene);
  check_constraints(scene);
  check_rigid_bodies(scene);
  for (const auto& [name, vertices] : scene.vertex_sets)
    for (const int v : vertices) check_vertex(scene, v, "vertex set '" + name + "'");
}

}  // namespace deformbench
